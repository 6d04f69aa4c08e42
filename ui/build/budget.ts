/** A file of the build, with the files that it loads. */
export interface Part {
  readonly name: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly styles: readonly string[];
  readonly gzipBytes: number;
}

const kilobyte = 1024;
const firstScriptBytes = 170 * kilobyte;
const firstStyleBytes = 15 * kilobyte;
/** Parts with a higher limit. */
const largeParts: readonly { readonly name: RegExp; readonly bytes: number }[] = [
  { name: /(^|\/)re2-/, bytes: 50 * kilobyte },
];
const lazyBytes = 30 * kilobyte;

/** One sentence for each part of a build that exceeds its size budget. */
export function overBudget(parts: readonly Part[]): string[] {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const first = new Set<string>();
  const add = (name: string): void => {
    const part = byName.get(name);
    if (part === undefined || first.has(name)) return;
    first.add(name);
    for (const other of [...part.imports, ...part.styles]) add(other);
  };
  for (const { name } of parts.filter(({ isEntry }) => isEntry)) add(name);
  const sum = (end: string) =>
    parts
      .filter(({ name }) => first.has(name) && name.endsWith(end))
      .reduce((total, { gzipBytes }) => total + gzipBytes, 0);
  const lazy = parts.filter(({ name }) => !first.has(name));
  return [
    ...judge('The first script', sum('.js'), firstScriptBytes),
    ...judge('The first style', sum('.css'), firstStyleBytes),
    ...lazy.flatMap(({ name, gzipBytes }) => judge(`The part ${name}`, gzipBytes, limitOf(name))),
  ];
}

function limitOf(part: string): number {
  return largeParts.find(({ name }) => name.test(part))?.bytes ?? lazyBytes;
}

function judge(what: string, bytes: number, limit: number): string[] {
  const inKilobytes = (each: number) => `${(each / kilobyte).toFixed(1)} KB`;
  return bytes <= limit ? [] : [`${what} has ${inKilobytes(bytes)} compressed; the limit is ${inKilobytes(limit)}.`];
}
