import { Type } from '@sinclair/typebox';
import { Data } from '../data/data.js';
import { Event } from '../events/event-record.js';
import { requiring } from '../json/required-mark.js';
import { BroadcastRequest, Message, PrivateRequest, ReplyRequest } from '../messages/message.js';
import { Progress } from '../messages/progress.js';
import { get, list, post } from '../route.js';
import { Confirm, Flag, Hash } from '../scalar.js';
import { Operation, Transaction } from '../chain/transaction.js';

export const messageRoutes = {
  broadcastMessage: post('broadcast/message', {
    also: ['messages/broadcast'],
    summary: 'Send a message to all parties',
    query: { confirm: Confirm },
    body: BroadcastRequest,
    status: 202,
    reply: Message,
  }),
  sendMessage: post('send/message', {
    also: ['messages/private'],
    summary: 'Send a message to the members of a group',
    query: { confirm: Confirm },
    body: PrivateRequest,
    status: 202,
    reply: Message,
  }),
  requestReply: post('messages/requestreply', {
    also: ['request/message'],
    summary: 'Send a message to the members of a group, and wait for the reply, which has its id as cid',
    body: requiring(['header'], ReplyRequest),
    status: 200,
    reply: Message,
  }),
  listMessages: list('messages', {
    summary: 'List messages: undecided ones first, newest first',
    from: 'messages',
    query: { pending: Flag, fetchdata: Flag, data: Flag },
    reply: Message,
  }),
  getMessage: get('messages/{msgid}', {
    summary: 'Get a message, with data=true its data items too',
    query: { fetchdata: Flag, data: Flag, hash: Hash },
    reply: Message,
  }),
  getMessageData: get('messages/{msgid}/data', {
    summary: 'Get the data items of a message, in its order',
    reply: Type.Array(Data),
  }),
  listMessageEvents: list('messages/{msgid}/events', {
    summary: 'List the events that refer to a message',
    like: 'events',
    query: { fetchreferences: Flag },
    reply: Event,
  }),
  getMessageTransaction: get('messages/{msgid}/transaction', {
    summary: 'Get the transaction that a message was sent with',
    reply: Transaction,
  }),
  listMessageOperations: list('messages/{msgid}/operations', {
    summary: 'List the operations of this node for a message',
    like: 'operations',
    query: { fetchstatus: Flag },
    reply: Operation,
  }),
  getMessageProgress: get('messages/{msgid}/progress', {
    summary: 'Show the progress of a message, and why it waits',
    reply: Progress,
  }),
} as const;
