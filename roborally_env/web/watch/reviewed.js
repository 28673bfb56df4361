import { Review } from "./review.js";
import { openViewer } from "./viewer.js";

openViewer(Review);
