/** The columns of a list that are stored in this browser. */
export function storedColumns(list: string): readonly string[] | undefined {
  return localStorage.getItem(nameOf(list))?.split(',');
}

/** Stores the columns of a list; undefined removes them. */
export function storeColumns(list: string, names: readonly string[] | undefined): void {
  if (names === undefined) localStorage.removeItem(nameOf(list));
  else localStorage.setItem(nameOf(list), names.join(','));
}

function nameOf(list: string): string {
  return `columns ${list}`;
}
