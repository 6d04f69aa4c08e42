const bareAddress = /^[0-9a-f]{40}$/;

/** Returns an address as it is stored: in lower case, with `0x`. Any other text is only put into lower case. */
export function canonicalAddress(text: string): string {
  const lower = text.toLowerCase();
  return bareAddress.test(lower) ? `0x${lower}` : lower;
}
