const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1_024 && unit < units.length - 1) {
    size /= 1_024;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit] ?? ''}`;
}
