import { describe, expect, it } from 'vitest';
import { amountText, sumOf } from '../../../ui/src/components/text/amount.js';
import { csvOf } from '../../../ui/src/components/table/csv.js';
import { beginningOf, piecesOf } from '../../../ui/src/components/text/marked-text.js';
import { imageTypeOf, isText } from '../../../ui/src/components/text/preview.js';
import { cleanName } from '../../../ui/src/components/text/clean-name.js';
import { localText, utcText } from '../../../ui/src/shell/local-time.js';
import { agoText, dateText, dayText, hourText } from '../../../ui/src/components/text/time-text.js';

describe('a text from another party', () => {
  it('shows characters that could hide or move others', () => {
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

  it('shows invisible characters of higher planes, which can encode a sentence', () => {
    const hidden = [...'pay'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const marks = piecesOf(`ok${hidden}\u180b\uffa0`).map((piece) => ('text' in piece ? piece.text : piece.name));
    expect(marks).toEqual(['ok', 'U+E0070', 'U+E0061', 'U+E0079', 'U+180B', 'U+FFA0']);
  });

  it('is cut between characters, not within a surrogate pair', () => {
    expect([beginningOf('ab🎉', 3), beginningOf('ab🎉', 4), beginningOf('ab', 9)]).toEqual(['ab', 'ab🎉', 'ab']);
  });

  it('keeps readable characters, even surrogate pairs', () => {
    expect(piecesOf('<b>é 🎉 العربية</b>')).toEqual([{ text: '<b>é 🎉 العربية</b>' }]);
    expect(piecesOf('one\n\ttwo', true)).toEqual([{ text: 'one\n\ttwo' }]);
  });
});

describe('an export as CSV', () => {
  it('contains no formulas', () => {
    const cells = ['=1+1', '+1', '-1', '@a', '\tx', '\rx', 'a,b', 'say "x"', 'plain'];
    expect(csvOf(['h'], [cells])).toBe(`h\r\n'=1+1,'+1,'-1,'@a,'\tx,"'\rx","a,b","say ""x""",plain\r\n`);
  });
});

describe('the name of a saved file', () => {
  it('is not a path and has no invisible characters', () => {
    expect(cleanName('../../etc/passwd')).toBe('passwd');
    expect(cleanName('a\u202egpj.exe')).toBe('a_gpj.exe');
    expect(cleanName('.bashrc')).toBe('bashrc');
    expect(cleanName('C:\\temp\\bericht (1).pdf')).toBe('bericht (1).pdf');
    expect(cleanName('\u0000')).toBe('_');
    expect(cleanName('')).toBe('file');
  });
});

describe('a long name of a file', () => {
  it('is cut before its extension', () => {
    const cut = cleanName(`${'long '.repeat(60)}report.pdf`);
    expect([cut.length, cut.slice(-4)]).toEqual([120, '.pdf']);
    expect(cleanName('x'.repeat(200))).toBe('x'.repeat(120));
    expect(cleanName(`a.${'b'.repeat(200)}`)).toHaveLength(120);
  });
});

describe('the preview of a file', () => {
  it('is an image by its first bytes, and never SVG or HTML', () => {
    expect(imageTypeOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))).toBe('image/png');
    const markup = ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html><script>1</script>', '%PDF-1.7'];
    expect(markup.map((text) => imageTypeOf(new TextEncoder().encode(text)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is text if it is UTF-8 without control characters', () => {
    expect(isText(new TextEncoder().encode('<svg>é\n\t'))).toBe(true);
    expect(isText(Uint8Array.of(0xff, 0xfe))).toBe(false);
    expect(isText(Uint8Array.of(65, 0))).toBe(false);
  });
});

describe('a time range in a form', () => {
  it('keeps its seconds, and its end after its beginning', () => {
    const [first, last] = [new Date(2026, 0, 31, 12, 0, 10, 100), new Date(2026, 0, 31, 12, 0, 10, 900)];
    expect(localText(first.toISOString(), 'floor')).toBe('2026-01-31T12:00:10');
    expect(localText(last.toISOString(), 'ceil')).toBe('2026-01-31T12:00:11');
    expect(utcText(localText(last.toISOString(), 'floor'))).toBe(new Date(2026, 0, 31, 12, 0, 10).toISOString());
    expect([localText('-1h', 'floor'), localText(undefined, 'ceil'), utcText('')]).toEqual(['', '', undefined]);
  });
});

describe('amounts and times', () => {
  it('lose no digit', () => {
    expect(sumOf(['12345678901234567890', '1'])).toBe('12345678901234567891');
    expect(amountText('12345678901234567890')).toBe('12 345 678 901 234 567 890');
  });

  it('show the day if it is not today, and the year if it is not this year', () => {
    const now = new Date(2026, 0, 31, 0, 5).getTime();
    const days = [new Date(2026, 0, 31, 23, 59), new Date(2026, 0, 30, 23, 59), new Date(2025, 11, 31)];
    expect(days.map((day) => dayText(day.getTime(), now))).toEqual(['', '01-30', '2025-12-31']);
    expect(days.map((day) => dateText(day.getTime(), now))).toEqual(['01-31', '01-30', '2025-12-31']);
  });

  it('show midnight as 00:00', () => {
    expect(hourText(new Date(2026, 0, 31, 0, 5).getTime())).toBe('00:05');
    expect(hourText(new Date(2026, 0, 31, 13, 50).getTime())).toBe('13:50');
  });

  it('show an age in the largest unit', () => {
    expect([500, 5_000, 300_000, 7_200_000, 200_000_000].map((ms) => agoText(0, ms))).toEqual([
      'now',
      '5 s ago',
      '5 min ago',
      '2 h ago',
      '2 d ago',
    ]);
    expect(agoText(Date.parse('2026-13-45T00:00:00.000Z'), 500)).toBe('?');
  });
});
