import { Type } from '@sinclair/typebox';
import { Batch } from '../messages/batch-record.js';
import { Group } from '../messages/group.js';
import { NextPin, Pin, Rewind, RewindRequest } from '../messages/pin.js';
import { Progress } from '../messages/progress.js';
import { get, list, post } from '../route.js';
import { Hash } from '../scalar.js';

export const sequenceRoutes = {
  listBatches: list('batches', { from: 'batches', summary: 'List batches, newest first', reply: Batch }),
  getBatch: get('batches/{batchid}', {
    from: 'batches',
    by: { id: 'batchid' },
    summary: 'Get a batch with its manifest',
    reply: Batch,
  }),
  getBatchProgress: get('batches/{batchid}/progress', {
    summary: 'Show the progress of a batch, and why it waits, even if only its pin is known',
    query: { hash: Hash },
    reply: Progress,
  }),
  cancelBatch: post('batches/{batchid}/cancel', {
    summary: 'Give up a batch of this node whose pin has failed: its messages become cancelled',
    status: 204,
    reply: Type.Null(),
  }),
  listGroups: list('groups', { from: 'groups', summary: 'List groups, newest first', reply: Group }),
  getGroup: get('groups/{hash}', { from: 'groups', by: { hash: 'hash' }, summary: 'Get a group', reply: Group }),
  listPins: list('pins', { from: 'pins', summary: 'List the pins of the chain, newest first', reply: Pin }),
  rewindPins: post('pins/rewind', {
    summary: 'Examine every waiting pin again from a sequence or batch on',
    body: RewindRequest,
    status: 200,
    reply: Rewind,
  }),
  listNextPins: list('nextpins', {
    from: 'nextpins',
    summary: 'List the next pin expected of each member of private contexts',
    reply: NextPin,
  }),
} as const;
