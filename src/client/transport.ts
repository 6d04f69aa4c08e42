/** A request to a node. */
export interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The response to a request, whatever its status. Its body can be read once, by `body` or `bytes`. */
export interface TransportResponse {
  readonly status: number;
  /** Values by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads the whole body. */
  bytes(): Promise<Uint8Array>;
}

/** Makes one request. @throws the signal's reason, or any error if there was no response */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Creates the transport over `fetch`. */
export function fetchTransport(send: typeof fetch = fetch): Transport {
  return async ({ url, method, headers, body, signal }) => {
    const response = await send(url, {
      method,
      headers,
      ...(typeof body === 'string' && { body }),
      ...(typeof body === 'object' && { body: streamOf(body), ...streamed }),
      ...(signal && { signal }),
    });
    return {
      status: response.status,
      headers: new Map(response.headers),
      body: chunksOf(response.body),
      bytes: async () => new Uint8Array(await response.arrayBuffer()),
    };
  };
}

/**
 * Options for a streamed body. `fetch` keeps a copy of a body that it may have to send again, which would be the whole
 * file in memory. It keeps none if redirects are errors and no window can ask for credentials.
 */
const streamed = { duplex: 'half', redirect: 'error', window: null } as const;

function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

/** Reads a stream with a reader, since not every browser can iterate over one. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // This rejects if the stream has failed.
    await reader.cancel().catch(() => undefined);
  }
}
