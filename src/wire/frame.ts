import { type Static, Type } from '@sinclair/typebox';

/** What a client says on an event stream (S §11.2). */
export const ClientFrame = Type.Object({
  type: Type.String(),
  id: Type.Optional(Type.String()),
  subscription: Type.Optional(
    Type.Object({
      id: Type.Optional(Type.String()),
      namespace: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
    }),
  ),
});
export type ClientFrame = Static<typeof ClientFrame>;

export const ProtocolError = Type.Object({ type: Type.Literal('protocol_error'), error: Type.String() });
export type ProtocolError = Static<typeof ProtocolError>;

/** Errors of the stream itself; they have no HTTP status (S §11.4). */
export const frameErrors = {
  ack_matches_nothing: 'FF10175: The acknowledgement matches no event in flight.',
  not_json: 'FF10176: A frame must be one JSON object in text.',
  unknown_type: 'FF10177: The frame type must be ack.',
} as const;
