/** The columns that this browser shows of a list where the URL says nothing. */
export function storedColumns(list: string): readonly string[] | undefined {
  return localStorage.getItem(nameOf(list))?.split(',');
}

/** Keeps columns for a list; undefined brings back those that the width decides. */
export function storeColumns(list: string, names: readonly string[] | undefined): void {
  if (names === undefined) localStorage.removeItem(nameOf(list));
  else localStorage.setItem(nameOf(list), names.join(','));
}

function nameOf(list: string): string {
  return `columns ${list}`;
}
