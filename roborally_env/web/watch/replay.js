import { openViewer } from "./viewer.js";

openViewer();
