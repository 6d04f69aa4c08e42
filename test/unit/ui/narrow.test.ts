import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../ui/src');
/** The width of a list on a screen of 320 pixels, without its scroll bar. */
const listPx = 305;
const chooserPx = 32;

function filesBelow(folder: string, end: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(end))
    .map((path) => join(folder, path));
}

/**
 * The columns in a file: object literals with a name, a title and a renderer. A width is a number or a constant of the
 * file. A computed `from` counts as 0, so the column counts as shown.
 */
function columnsIn(path: string): readonly { readonly width: number; readonly from: number }[] {
  const found: { width: number; from: number }[] = [];
  const source = readFileSync(path, 'utf8');
  const numberOf = (text: string): number => {
    const constant = new RegExp(`^const ${text} = ([\\d_]+);`, 'm').exec(source)?.[1];
    return Number((constant ?? text).replaceAll('_', ''));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const values = new Map(
        node.properties.flatMap((each) =>
          ts.isPropertyAssignment(each) ? [[each.name.getText(), each.initializer.getText()] as const] : [],
        ),
      );
      if (values.has('name') && values.has('title') && values.has('render')) {
        const width = numberOf(values.get('width') ?? '0');
        if (Number.isNaN(width)) throw new Error(`${path}: the width ${values.get('width')} is not a number.`);
        found.push({ width, from: Number(values.get('from')?.replaceAll('_', '') ?? 0) || 0 });
      }
    }
    node.forEachChild(visit);
  };
  ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX).forEachChild(visit);
  return found;
}

function ruleOf(path: string, selector: string): string {
  const css = readFileSync(join(root, path), 'utf8');
  const at = css.indexOf(`${selector} {`);
  return at < 0 ? '' : css.slice(at, css.indexOf('}', at));
}

describe('on a screen of 320 pixels', () => {
  it('every list fits with the columns that it shows', () => {
    const lists = filesBelow(root, '.tsx')
      .map((path) => ({ path, columns: columnsIn(path) }))
      .filter(({ columns }) => columns.length > 1);
    expect(lists.length).toBeGreaterThan(8);
    const tooWide = lists.filter(({ columns }) => {
      const shown = columns.filter(({ from }) => from <= listPx);
      return shown.reduce((sum, { width }) => sum + width, chooserPx) > listPx;
    });
    expect(tooWide.map(({ path }) => path)).toEqual([]);
  });

  it('every list shows more than its first column', () => {
    const lists = filesBelow(root, '.tsx')
      .map((path) => ({ path, columns: columnsIn(path) }))
      .filter(({ columns }) => columns.length > 1);
    const narrow = lists.filter(({ columns }) => columns.filter(({ from }) => from <= listPx).length < 2);
    expect(narrow.map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ['components/page/failure.module.css', '.words'],
    ['components/page/section.module.css', '.header :is(h2, h3)'],
    ['components/page/list.module.css', '.notice'],
    ['components/table/filters.module.css', '.problem'],
    ['components/text/text.module.css', '.text'],
    ['shell/shell.module.css', '.notices'],
  ])('long words wrap: %s %s', (path, selector) => {
    expect(ruleOf(path, selector)).toContain('overflow-wrap: anywhere');
  });

  it('a button that copies keeps its size beside a long text', () => {
    expect(ruleOf('components/record/copy.module.css', '.copy')).toContain('flex: none');
  });

  it('a long option does not make its form wider', () => {
    expect(ruleOf('actions/actions.module.css', '.field')).toContain('minmax(0, 1fr)');
    expect(ruleOf('actions/actions.module.css', '.field select')).toContain('max-width: 100%');
  });
});
