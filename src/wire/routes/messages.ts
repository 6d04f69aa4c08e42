import { Type } from '@sinclair/typebox';
import { Data } from '../data.js';
import { BroadcastRequest, Message, PrivateRequest } from '../message.js';
import { get, list, post } from '../route.js';
import { Flag } from '../scalar.js';

export const messageRoutes = {
  broadcastMessage: post('broadcast/message', {
    also: ['messages/broadcast'],
    summary: 'Send a message to all parties',
    body: BroadcastRequest,
    status: 202,
    reply: Message,
  }),
  sendMessage: post('send/message', {
    also: ['messages/private'],
    summary: 'Send a message to the members of a group',
    body: PrivateRequest,
    status: 202,
    reply: Message,
  }),
  listMessages: list('messages', {
    summary: 'List messages: undecided ones first, newest first',
    query: { pending: Flag, fetchdata: Flag, data: Flag },
    reply: Message,
  }),
  getMessage: get('messages/{msgid}', {
    summary: 'Get a message, with data=true its data items too',
    query: { fetchdata: Flag, data: Flag },
    reply: Message,
  }),
  getMessageData: get('messages/{msgid}/data', {
    summary: 'Get the data items of a message, in its order',
    reply: Type.Array(Data),
  }),
} as const;
