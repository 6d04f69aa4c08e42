import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../../ui/src/style/colors.css', import.meta.url), 'utf8');
const colors = new Map(
  [...text.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
  ),
);
const themes = ['light', 'dark'] as const;
const backgrounds = ['background', 'surface', 'raised', 'selected'];
const texts = ['text', 'muted', 'accent', 'private', 'token', 'confirmed', 'waiting', 'blocked', 'rejected'];

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function colorOf(name: string, theme: number): string {
  const color = colors.get(name)?.[theme];
  if (color === undefined) throw new Error(`colors.css has no colour ${name} for both themes.`);
  return color;
}

function contrast(front: string, back: string, theme: number): number {
  const lights = [front, back].map((name) => luminance(colorOf(name, theme)));
  const [high = 0, low = 0] = lights.sort((left, right) => right - left);
  return (high + 0.05) / (low + 0.05);
}

describe('the colours', () => {
  it.each(themes)('have a contrast of 4.5 between each text and each background, %s', (theme) => {
    const at = themes.indexOf(theme);
    const poor = texts.flatMap((front) =>
      backgrounds.flatMap((back) => (contrast(front, back, at) < 4.5 ? [`${front} on ${back}`] : [])),
    );
    expect(poor).toEqual([]);
    expect(contrast('on-accent', 'accent', at)).toBeGreaterThan(4.5);
  });

  it.each(themes)('have a contrast of 3.2 between controls and backgrounds, %s', (theme) => {
    const at = themes.indexOf(theme);
    for (const back of ['background', 'surface', 'raised']) expect(contrast('control', back, at)).toBeGreaterThan(3.2);
  });

  it('of examples in fields are those of muted text', () => {
    const base = readFileSync(new URL('../../../ui/src/style/base.css', import.meta.url), 'utf8');
    expect(base).toMatch(/^::placeholder \{\n {2}color: var\(--muted\);\n {2}opacity: 1;\n\}$/m);
  });
});
