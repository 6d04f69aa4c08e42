import { describe, expect, it } from 'vitest';
import { amountText, sumOf } from '../../../ui/src/components/text/amount.js';
import { csvOf } from '../../../ui/src/components/table/csv.js';
import { piecesOf } from '../../../ui/src/components/text/marked-text.js';
import { imageTypeOf, isText } from '../../../ui/src/components/text/preview.js';
import { cleanName } from '../../../ui/src/components/text/clean-name.js';
import { agoText } from '../../../ui/src/components/text/time-text.js';

describe('a text of somebody else', () => {
  it('shows every character that could hide or move others', () => {
    const marks = piecesOf('a\u202eb\u200b\ud800\u0000\n');
    expect(marks.map((piece) => ('text' in piece ? piece.text : piece.name))).toEqual([
      'a',
      'U+202E',
      'b',
      'U+200B',
      'U+D800',
      'U+0000',
      'U+000A',
    ]);
  });

  it('leaves what can be read as it is, pairs included', () => {
    expect(piecesOf('<b>é 🎉 العربية</b>')).toEqual([{ text: '<b>é 🎉 العربية</b>' }]);
    expect(piecesOf('one\n\ttwo', true)).toEqual([{ text: 'one\n\ttwo' }]);
  });
});

describe('an export as CSV', () => {
  it('gives a spreadsheet no formula', () => {
    const cells = ['=1+1', '+1', '-1', '@a', '\tx', '\rx', 'a,b', 'say "x"', 'plain'];
    expect(csvOf(['h'], [cells])).toBe(`h\r\n'=1+1,'+1,'-1,'@a,'\tx,"'\rx","a,b","say ""x""",plain\r\n`);
  });
});

describe('the name of a file that is saved', () => {
  it('is no path and hides nothing', () => {
    expect(cleanName('../../etc/passwd')).toBe('passwd');
    expect(cleanName('a\u202egpj.exe')).toBe('a_gpj.exe');
    expect(cleanName('.bashrc')).toBe('bashrc');
    expect(cleanName('C:\\temp\\bericht (1).pdf')).toBe('bericht (1).pdf');
    expect(cleanName('\u0000')).toBe('_');
    expect(cleanName('')).toBe('file');
  });
});

describe('a file that is shown', () => {
  it('is an image by how it begins, and never SVG or HTML', () => {
    expect(imageTypeOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))).toBe('image/png');
    const markup = ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html><script>1</script>', '%PDF-1.7'];
    expect(markup.map((text) => imageTypeOf(new TextEncoder().encode(text)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is text when it is UTF-8 without control characters', () => {
    expect(isText(new TextEncoder().encode('<svg>é\n\t'))).toBe(true);
    expect(isText(Uint8Array.of(0xff, 0xfe))).toBe(false);
    expect(isText(Uint8Array.of(65, 0))).toBe(false);
  });
});

describe('amounts and times', () => {
  it('lose no digit', () => {
    expect(sumOf(['12345678901234567890', '1'])).toBe('12345678901234567891');
    expect(amountText('12345678901234567890')).toBe('12 345 678 901 234 567 890');
  });

  it('are told in the largest unit', () => {
    expect([500, 5_000, 300_000, 7_200_000, 200_000_000].map((ms) => agoText(0, ms))).toEqual([
      'now',
      '5 s ago',
      '5 min ago',
      '2 h ago',
      '2 d ago',
    ]);
  });
});
