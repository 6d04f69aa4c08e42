import { describe, expect, it } from 'vitest';
import { cut, pad, widthOf } from '../../../../src/cli/terminal/width.js';

describe('the width of a text on a terminal', () => {
  it.each([
    ['plain', 5],
    ['日本語', 6],
    ['한국', 4],
    ['ｆｕｌｌ', 8],
    ['👍', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🇩🇪', 2],
    ['☀️', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['a…b', 3],
    ['✓ größer → ñ', 12],
    ['a\u00adb', 2],
  ])('of %j is %i', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('is kept by a cut, which splits no character', () => {
    expect(cut('日本語テスト', 6)).toBe('日本…');
    expect(cut('日本語テスト', 7)).toBe('日本語…');
    expect(cut('ab👨‍👩‍👧‍👦cd', 4)).toBe('ab…');
    expect(cut('日本語', 6)).toBe('日本語');
    expect(cut('größer', 4)).toBe('grö…');
    expect(cut('plain', 0)).toBe('…');
    expect(pad('日本', 6)).toBe('日本  ');
  });
});
