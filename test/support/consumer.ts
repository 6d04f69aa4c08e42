import { WebSocket } from 'ws';

export interface Frame {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly reference: string;
  readonly subscription: { readonly id: string; readonly name: string };
  /** Only in a batch. */
  readonly events?: readonly Frame[];
  /** Only in a `protocol_error`. */
  readonly error?: string;
}

export interface ConsumerOptions {
  /** Acknowledges every frame as it comes; default false. */
  readonly isAcknowledging?: boolean;
  readonly onFrame?: (frame: Frame, consumer: Consumer) => void;
  /** Discards the frames. */
  readonly isForgetful?: boolean;
}

/** One connection to the events of a node, without this project's client. */
export interface Consumer {
  readonly frames: readonly Frame[];
  count(): number;
  /** Resolves when the connection is open; rejects if the handshake is refused. */
  readonly opened: Promise<void>;
  /** Resolves with the code when the connection is closed. */
  readonly closed: Promise<number>;
  acknowledge(id: string): void;
  send(text: string): void;
  /** Stops reading from the network. */
  pause(): void;
  resume(): void;
  /** Closes without a closing handshake, as a killed process does. */
  kill(): void;
}

/** Opens a connection; `query` is such as `namespace=default&name=app1`. */
export function consume(url: string, query: string, options: ConsumerOptions = {}): Consumer {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws?${query}`, { perMessageDeflate: false });
  const frames: Frame[] = [];
  let count = 0;
  const acknowledge = (id: string): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(`{"type":"ack","id":"${id}"}`);
  };
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // A caller that does not wait for it learns of a refusal through `closed`.
  opened.catch(() => undefined);
  const closed = new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
  const consumer: Consumer = {
    frames,
    count: () => count,
    opened,
    closed,
    acknowledge,
    send: (text) => {
      socket.send(text);
    },
    pause: () => {
      socket.pause();
    },
    resume: () => {
      socket.resume();
    },
    kill: () => {
      socket.terminate();
    },
  };
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8')) as Frame;
    count += 1;
    if (options.isForgetful !== true) frames.push(frame);
    if (options.isAcknowledging === true && frame.error === undefined) acknowledge(frame.id);
    options.onFrame?.(frame, consumer);
  });
  return consumer;
}

const aboutMessages = { events: '^message_' };

/**
 * Creates or replaces a subscription, by default to events about messages; returns its id.
 *
 * @throws Error if the node refuses
 */
export async function subscribe(
  url: string,
  name: string,
  { filter = aboutMessages, options = {} }: { readonly filter?: object; readonly options?: object } = {},
): Promise<string> {
  const response = await fetch(`${url}/api/v1/namespaces/default/subscriptions`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, transport: 'websockets', filter, options }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the subscription was answered with ${response.status}: ${text}`);
  return (JSON.parse(text) as { readonly id: string }).id;
}

/** Returns the stored position of a subscription. */
export async function offsetOf(url: string, id: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/namespaces/default/subscriptions/${id}?fetchstatus=true`);
  const { status } = (await response.json()) as { readonly status: { readonly currentOffset: number } };
  return status.currentOffset;
}
