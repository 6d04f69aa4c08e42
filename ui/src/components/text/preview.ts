/** The maximum size of a file with a preview. */
export const maxPreviewBytes = 5 * 1024 * 1024;

const signatures: readonly { readonly type: string; readonly at: readonly (readonly [number, readonly number[]])[] }[] =
  [
    { type: 'image/png', at: [[0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]] },
    { type: 'image/jpeg', at: [[0, [0xff, 0xd8, 0xff]]] },
    { type: 'image/gif', at: [[0, [0x47, 0x49, 0x46, 0x38]]] },
    {
      type: 'image/webp',
      at: [
        [0, [0x52, 0x49, 0x46, 0x46]],
        [8, [0x57, 0x45, 0x42, 0x50]],
      ],
    },
  ];

/** The type of a supported image, recognised by its signature; undefined for all other files, including SVG. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  return signatures.find(({ at }) => at.every(([from, values]) => values.every((v, i) => bytes[from + i] === v)))?.type;
}

/** Whether bytes are UTF-8 text without control characters other than white space. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32))) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
