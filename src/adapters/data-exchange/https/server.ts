import type { IncomingMessage } from 'node:http';
import type { ListenerOptions } from '../../../http/listener.js';
import { type BlobOffer, PeerError, type PeerReceiver } from '../../../ports/data-exchange.js';
import type { Log } from '../../../ports/log.js';
import { assertConforms } from '../../../wire/check.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { BatchRequestBody, BlobOfferBody } from '../../../wire/messages/exchange.js';
import { decode, textOf } from '../../../wire/json/json.js';
import { read } from '../../../wire/json/json-reader.js';
import type { OfferAnswer } from '../answer.js';
import { bodyOf, bytesOf } from './body.js';
import { exactly } from '../exact.js';
import { maxEnvelopeBytes } from '../../../domain/network/limits.js';

type Middleware = ListenerOptions['middleware'][number];
type Context = Parameters<Middleware>[0];

export interface PeerApiParts {
  /** Returns the receiver; undefined until it is set. */
  readonly receiver: () => PeerReceiver | undefined;
  /** Returns the peer at the other end of a request's connection. */
  readonly senderOf: (request: IncomingMessage) => string;
  readonly idleMs: number;
  readonly log: Log;
}

interface Call {
  readonly ctx: Context;
  readonly sender: string;
  readonly receiver: PeerReceiver;
  readonly idleMs: number;
}

/** The limit of an offer or a request. */
const maxSmallBytes = 4_096;
const blobPath = /^\/blobs\/([0-9a-f]{64})$/;

/** Content types that a node accepts from its peers. */
export function peerContentTypes(path: string): readonly string[] {
  return [blobPath.test(path) ? 'application/octet-stream' : 'application/json'];
}

/**
 * Serves peers: `POST /envelopes`, `POST /blobs` (an offer), `PUT /blobs/{hash}?source&size&start` (the bytes),
 * `POST /requests` (for a batch). The response is 200 with the receiver's answer; 503 means "try again".
 */
export function createPeerApi({ receiver: current, senderOf, idleMs, log }: PeerApiParts): Middleware {
  return async (ctx, next) => {
    const route = routeOf(ctx);
    if (route === undefined) return next();
    const receiver = current();
    if (receiver === undefined) throw new ServiceError('stopping', { what: 'This node does not receive yet' });
    const sender = senderOf(ctx.req);
    try {
      const answer = await route({ ctx, sender, receiver, idleMs });
      ctx.type = 'application/json';
      ctx.body = textOf(answer);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      // A peer that disconnects during a request is normal; a failure of the receiver is not.
      const isDisconnected = error instanceof PeerError || ctx.req.aborted || ctx.req.destroyed;
      const fields = { peer: sender, path: ctx.path, error };
      if (isDisconnected) log.debug('A peer disconnected during a request', fields);
      else log.warn('A request of a peer failed', fields);
      throw new ServiceError('stopping', { what: 'This node could not process the request' });
    }
  };
}

type Route = (call: Call) => Promise<OfferAnswer>;

function routeOf({ method, path }: Context): Route | undefined {
  if (method === 'POST' && path === '/envelopes') return takeEnvelope;
  if (method === 'POST' && path === '/blobs') return takeOffer;
  if (method === 'POST' && path === '/requests') return takeRequest;
  if (method === 'PUT' && blobPath.test(path)) return takeBlob;
  return undefined;
}

async function takeEnvelope(call: Call): Promise<OfferAnswer> {
  return call.receiver.receiveEnvelope(call.sender, await textOfBody(call, maxEnvelopeBytes));
}

async function takeOffer(call: Call): Promise<OfferAnswer> {
  const { value } = read(await textOfBody(call, maxSmallBytes), BlobOfferBody);
  assertConforms(BlobOfferBody, value, 'the offer');
  return call.receiver.offerBlob(call.sender, { hash: value.hash, sizeBytes: value.size, source: value.source });
}

async function takeRequest(call: Call): Promise<OfferAnswer> {
  const { value } = read(await textOfBody(call, maxSmallBytes), BatchRequestBody);
  assertConforms(BatchRequestBody, value, 'the request');
  return call.receiver.receiveRequest(call.sender, value.hash);
}

async function textOfBody({ ctx, idleMs }: Call, maxBytes: number): Promise<string> {
  const bytes = await bodyOf(ctx.req, maxBytes, idleMs);
  if (bytes === undefined) throw new ServiceError('body_too_large', { max: maxBytes });
  return decode(bytes);
}

async function takeBlob({ ctx, sender, receiver, idleMs }: Call): Promise<OfferAnswer> {
  const { offer, start } = readTransfer(ctx);
  const bytes = exactly(bytesOf(ctx.req, idleMs), offer.sizeBytes - start);
  return receiver.receiveBlob(sender, offer, start, bytes);
}

function readTransfer({ path, query }: Context): { readonly offer: BlobOffer; readonly start: number } {
  const hash = blobPath.exec(path)?.[1];
  const offer = { hash, size: wholeNumber(query['size']), source: query['source'] };
  assertConforms(BlobOfferBody, offer, 'the query');
  const start = wholeNumber(query['start']);
  if (!(start <= offer.size)) {
    throw new ServiceError('bad_parameter', { field: 'start', expected: `0 to ${offer.size}`, actual: start });
  }
  return { offer: { hash: offer.hash, sizeBytes: offer.size, source: offer.source }, start };
}

/** Parses a whole number; NaN, which no check accepts, for anything else. */
function wholeNumber(text: string | string[] | undefined): number {
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
}
