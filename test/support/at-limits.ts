import { networkLimits } from '../../src/domain/network/limits.js';
import { expect } from 'vitest';
import type { FormParts, Item } from './data-client.js';
import { createDataClient } from './data-client.js';
import { eventually } from './eventually.js';
import type { TestNetwork, TestNode } from './node.js';

/** A message with its data as JSON text, so that depth and bytes of a value are exact. */
export interface Draft {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly data: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A way to send a message: its route, its body and its recipients. */
export interface Way {
  readonly path: string;
  readonly body: (draft: Draft) => string;
  readonly isPrivate: boolean;
}

export const members = [{ identity: 'bob' }, { identity: 'carol' }];

/** The pool of operations with a message. */
export const pool = 'coins';

export const ways: Readonly<Record<string, Way>> = {
  'a broadcast': { path: 'messages/broadcast', isPrivate: false, body: (draft) => messageOf(draft) },
  'a private message': { path: 'messages/private', isPrivate: true, body: (draft) => messageOf(draft, { members }) },
  'an unpinned message': {
    path: 'messages/private',
    isPrivate: true,
    body: (draft) => messageOf({ ...draft, header: { ...draft.header, txtype: 'none' } }, { members }),
  },
  'the broadcast of a mint': {
    path: 'tokens/mint',
    isPrivate: false,
    body: (draft) => `{"pool":"${pool}","amount":1,"message":${messageOf(draft)}}`,
  },
  'the private message of a mint': {
    path: 'tokens/mint',
    isPrivate: true,
    body: (draft) => `{"pool":"${pool}","amount":1,"message":${messageOf(draft, { members })}}`,
  },
  'the private message of an approval': {
    path: 'tokens/approvals',
    isPrivate: true,
    body: (draft) => `{"pool":"${pool}","operator":"bob","message":${messageOf(draft, { members })}}`,
  },
};

/** A value with this many nested levels. */
export function deep(levels: number, kind: 'arrays' | 'objects' = 'arrays'): string {
  const [open, close] = kind === 'arrays' ? ['[', ']'] : ['{"a":', '}'];
  return `${open.repeat(levels)}${kind === 'arrays' ? '' : '0'}${close.repeat(levels)}`;
}

/** A value of exactly this many bytes. */
export function long(bytes: number): string {
  return `"${'x'.repeat(bytes - 2)}"`;
}

/** The most bytes that a message's value may have. */
export const maxValueBytes = networkLimits.maxBatchDataBytes - 1_024;

export function valued(...values: readonly string[]): string {
  return `[${values.map((value) => `{"value":${value}}`).join(',')}]`;
}

function messageOf({ header = {}, data, more = {} }: Draft, group?: object): string {
  const rest = JSON.stringify({ header, ...more, ...(group !== undefined && { group }) });
  return `${rest.slice(0, -1)},"data":${data}}`;
}

interface Posted {
  readonly status: number;
  /** Id of the accepted message. */
  readonly id: string;
  readonly text: string;
}

export async function post({ url }: TestNode, path: string, body: string): Promise<Posted> {
  const response = await fetch(`${url}/api/v1/namespaces/default/${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const text = await response.text();
  const answer = JSON.parse(text) as { readonly header?: { readonly id: string }; readonly message?: unknown };
  const id = answer.header?.id ?? (typeof answer.message === 'string' ? answer.message : '');
  return { status: response.status, id, text };
}

export async function expectConfirmed(nodes: readonly TestNode[], id: string): Promise<void> {
  expect(id).not.toBe('');
  for (const { url } of nodes) {
    await eventually(async () => {
      const response = await fetch(`${url}/api/v1/namespaces/default/messages/${id}`);
      expect(await response.json()).toMatchObject({ state: 'confirmed' });
    });
  }
}

/** Posts a draft and expects that all recipients confirm it. */
export async function expectDelivered({ nodes, node }: TestNetwork, way: Way, draft: Draft): Promise<void> {
  const { status, id, text } = await post(node, way.path, way.body(draft));
  expect(status, text.slice(0, 300)).toBe(202);
  await expectConfirmed(nodes, id);
}

export function upload({ node }: TestNetwork, parts: FormParts): Promise<Item> {
  return createDataClient(node).upload(parts);
}
