import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { TestNode } from './node.js';

/** A frame of a node, read in the ordinary way. */
export interface Frame {
  readonly type: string;
  readonly id: string;
  readonly error?: string;
  readonly sequence: number;
  readonly reference: string;
  readonly subscription: { readonly id: string; readonly namespace: string; readonly name: string };
  readonly message?: { readonly header: { readonly id: string; readonly tag?: string } };
  readonly events?: readonly Frame[];
}

/** The other end of an event stream. */
export interface StreamClient {
  readonly socket: WebSocket;
  /** Of this socket alone: the node shows it by this. */
  readonly userAgent: string;
  readonly frames: readonly Frame[];
  /** Resolves with the n-th frame, counted from 1. Rejects when the socket closes before it has come. */
  frame(n: number): Promise<Frame>;
  send(frame: object | string): void;
  /** Acknowledges as FireFly's SDK does. */
  acknowledge(frame: Frame): void;
  /** Resolves with the code when the socket is closed, by whomever. */
  readonly closed: Promise<number>;
  /** Says goodbye, and resolves when the other end has. */
  close(): Promise<number>;
}

/** Opens an event stream: `target` is what follows the address, such as `/ws?ephemeral`. */
export async function openStream(node: Pick<TestNode, 'ws'>, target: string): Promise<StreamClient> {
  const userAgent = `test/${randomUUID()}`;
  const socket = new WebSocket(`${node.ws}${target}`, { headers: { 'user-agent': userAgent } });
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const each of waiting) each();
    waiting.clear();
  };
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)) as Frame);
    wake();
  });
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (code) => {
      resolve(code);
      wake();
    });
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => undefined);
  const send = (frame: object | string): void => {
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  };
  return {
    socket,
    userAgent,
    frames,
    async frame(n) {
      for (;;) {
        const frame = frames[n - 1];
        if (frame !== undefined) return frame;
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`It closed after ${frames.length} frames`);
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    send,
    acknowledge: ({ id, subscription }) => {
      send({ type: 'ack', id, subscription });
    },
    closed,
    close() {
      socket.close();
      return closed;
    },
  };
}

/** A subscription as a node shows it. */
export interface ShownSubscription {
  readonly startTime: string;
  readonly ephemeral: boolean;
  readonly namespace: string;
  readonly name?: string;
  readonly filter: object;
  readonly active: boolean;
}

/** What a node shows of a socket that is open there, in a namespace; undefined when it shows none. */
export async function shownSubscriptions(
  { url }: Pick<TestNode, 'url'>,
  { userAgent }: Pick<StreamClient, 'userAgent'>,
  namespace = 'default',
): Promise<readonly ShownSubscription[] | undefined> {
  const response = await fetch(`${url}/api/v1/namespaces/${namespace}/websockets`);
  const { connections } = (await response.json()) as {
    readonly connections: readonly { readonly userAgent: string; readonly subscriptions: ShownSubscription[] }[];
  };
  return connections.find((connection) => connection.userAgent === userAgent)?.subscriptions;
}

/** Asks for an event stream that is not given; resolves with the status and the body of the refusal. */
export async function refusedStream(
  node: Pick<TestNode, 'ws'>,
  target: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const socket = new WebSocket(`${node.ws}${target}`);
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.close();
      reject(new Error(`${target} was not refused`));
    });
    socket.once('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.once('end', () => {
        resolve({ status: response.statusCode, body });
      });
    });
    socket.on('error', () => undefined);
  });
}

/** Waits until the node has closed a socket for a breach of the protocol, and expects the code that it was told. */
export async function expectRefusal(stream: StreamClient, code: string): Promise<void> {
  expect(await stream.closed).toBe(1008);
  expect(stream.frames.at(-1)).toEqual({
    type: 'protocol_error',
    error: expect.stringMatching(`^${code}: `) as string,
  });
}

/** Broadcasts a message with a tag, and answers its id. */
export async function sendTagged({ url }: Pick<TestNode, 'url'>, tag: string, namespace = 'default'): Promise<string> {
  const response = await fetch(`${url}/api/v1/namespaces/${namespace}/broadcast/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"header":{"tag":"${tag}"},"data":[{"value":"${tag}"}]}`,
  });
  const { header } = (await response.json()) as { header: { id: string } };
  return header.id;
}
