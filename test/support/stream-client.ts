import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { TestNode } from './node.js';

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

/** A client of an event stream. */
export interface StreamClient {
  readonly socket: WebSocket;
  /** Unique for each socket; the node lists sockets by it. */
  readonly userAgent: string;
  readonly frames: readonly Frame[];
  /** Resolves with the n-th frame, from 1. Rejects if the socket closes first. */
  frame(n: number): Promise<Frame>;
  send(frame: object | string): void;
  /** Acknowledges as FireFly's SDK does. */
  acknowledge(frame: Frame): void;
  /** Resolves with the code when the socket is closed by either side. */
  readonly closed: Promise<number>;
  /** Closes the socket; resolves when the other side has closed it too. */
  close(): Promise<number>;
}

/** Opens an event stream; `target` is such as `/ws?ephemeral`. */
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

export interface ShownSubscription {
  readonly startTime: string;
  readonly ephemeral: boolean;
  readonly namespace: string;
  readonly name?: string;
  readonly filter: object;
  readonly active: boolean;
}

/** Returns the subscriptions that a node lists for an open socket; undefined if it lists none. */
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

/** Requests an event stream; resolves with the status and body of the refusal. */
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

/** Expects that the node closes a socket for a protocol error with this code. */
export async function expectRefusal(stream: StreamClient, code: string): Promise<void> {
  expect(await stream.closed).toBe(1008);
  expect(stream.frames.at(-1)).toEqual({
    type: 'protocol_error',
    error: expect.stringMatching(`^${code}: `) as string,
  });
}

/** Broadcasts a message with a tag; returns its id. */
export async function sendTagged({ url }: Pick<TestNode, 'url'>, tag: string, namespace = 'default'): Promise<string> {
  const response = await fetch(`${url}/api/v1/namespaces/${namespace}/broadcast/message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"header":{"tag":"${tag}"},"data":[{"value":"${tag}"}]}`,
  });
  const { header } = (await response.json()) as { header: { id: string } };
  return header.id;
}
