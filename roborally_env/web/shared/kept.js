const storage = (find) => ({
  get(key) {
    try { return JSON.parse(find().getItem(key)); } catch { return null; }
  },
  set(key, value) {
    try { find().setItem(key, JSON.stringify(value)); } catch { /* a private window without storage */ }
  },
});

/** Values that outlive a visit, as JSON, where the browser allows it. */
export const kept = storage(() => localStorage);

/** Values that outlive a reload of this tab. */
export const keptInTab = storage(() => sessionStorage);
