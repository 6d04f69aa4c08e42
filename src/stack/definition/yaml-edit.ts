import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { yamlOptions } from './yaml-options.js';

/**
 * Replaces or adds one value in a YAML text. Everything else stays byte for byte: comments, order, spaces, quotes. If
 * the text cannot be changed in place, the whole document is formatted again, with its comments.
 *
 * @throws Error if the path leads through a value without members
 */
export function setInYaml(text: string, path: readonly string[], value: unknown): string {
  const document = parseDocument(text, yamlOptions);
  const changed = parseDocument(text, yamlOptions);
  const depth = depthOf(changed, path);
  const [above, below] = [path.slice(0, depth), path.slice(depth)];
  changed.setIn(keysOf(changed, above), changed.createNode(nested(below, value)));
  const edited = editedText(text, document, path, value);
  const isRight = edited !== undefined && isDeepStrictEqual(valueOf(edited), changed.toJS());
  return isRight ? edited : changed.toString({ lineWidth: 0 });
}

/** Undefined for invalid YAML. */
function valueOf(text: string): unknown {
  const document = parseDocument(text, yamlOptions);
  return document.errors.length > 0 ? undefined : document.toJS();
}

/** Members of a list are keyed by number. */
function keysOf(document: Document, path: readonly string[]): (string | number)[] {
  return path.map((name, depth) => {
    const parent = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    return isSeq(parent) && /^\d+$/.test(name) ? Number(name) : name;
  });
}

/** A value nested in a mapping for each name of the path. */
function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((member, key) => ({ [key]: member }), value);
}

/** How far a path leads through existing collections, plus one name. */
function depthOf(document: Document, path: readonly string[]): number {
  for (let depth = 0; depth < path.length; depth++) {
    const parent: unknown =
      depth === 0 ? document.contents : document.getIn(keysOf(document, path.slice(0, depth)), true);
    if (parent === undefined || parent === null || (isScalar(parent) && parent.value === null)) return depth;
    const where = path.slice(0, depth).join('.');
    const name = path[depth] ?? '';
    const index = Number(name);
    if (isMap(parent) || (isSeq(parent) && /^\d+$/.test(name) && index <= parent.items.length)) continue;
    throw new Error(
      isSeq(parent)
        ? `${where} is a list of ${parent.items.length}: it has no member ${name}.`
        : `${where} is a single value: it has no member ${name}.`,
    );
  }
  return path.length;
}

function editedText(text: string, document: Document, path: readonly string[], value: unknown): string | undefined {
  const found: unknown = document.getIn(keysOf(document, path), true);
  if (isNode(found)) return replaced(text, found, value);
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const parent: unknown =
      depth === 0 ? document.contents : document.getIn(keysOf(document, path.slice(0, depth)), true);
    if (!isNode(parent)) continue;
    const [name = '', ...rest] = path.slice(depth);
    const inner = nested(rest, value);
    if (isCollection(parent)) return withMember(text, parent, name, inner);
    return replaced(text, parent, { [name]: inner });
  }
  return undefined;
}

/** The text with the value of a node replaced. */
function replaced(text: string, node: Node, value: unknown): string | undefined {
  const [start, end] = [node.range?.[0], node.range?.[1]];
  if (start === undefined || end === undefined) return undefined;
  const before = text.slice(0, start);
  // A collection over several lines begins below its key.
  const isBlock = isCollection(node) && node.flow !== true;
  const head = isBlock ? before.replace(/\s+$/, '') : before;
  const gap = /[:-]$/.test(head) ? ' ' : '';
  const old = text.slice(start, end);
  const tail = /\s*$/.exec(old)?.[0] ?? '';
  return `${head}${gap}${flowText(value)}${tail}${text.slice(end)}`;
}

/** The text with a member appended to a collection. */
function withMember(text: string, parent: YAMLMap | YAMLSeq, name: string, value: unknown): string | undefined {
  const [start, end] = [parent.range?.[0], parent.range?.[1]];
  if (start === undefined || end === undefined) return undefined;
  const member = isSeq(parent) ? flowText(value) : `${flowText(name)}: ${flowText(value)}`;
  if (parent.flow === true) {
    const inside = text.slice(start, end - 1).replace(/\s+$/, '');
    const comma = parent.items.length === 0 || inside.endsWith(',') ? '' : ',';
    const space = inside.length > 1 ? ' ' : '';
    const at = start + inside.length;
    return `${text.slice(0, at)}${comma}${space}${member}${text.slice(at)}`;
  }
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  const last = text.slice(0, end).replace(/\s+$/, '').length;
  const lineEnd = text.indexOf('\n', last);
  const at = lineEnd < 0 ? text.length : lineEnd;
  return `${text.slice(0, at)}\n${indent}${isSeq(parent) ? '- ' : ''}${member}${text.slice(at)}`;
}

/** A value as YAML in one line, without quotes where they change nothing; valid at every place of a document. */
export function flowText(value: unknown): string {
  const list = stringify([value], { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false });
  return list.trim().slice(1, -1);
}
