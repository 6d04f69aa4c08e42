import { type Static, Type } from '@sinclair/typebox';

/** The facts about a node that its explorer needs before any other request: the response of `/ui/_config`. */
export const ExplorerConfig = Type.Object({
  party: Type.String({ description: 'name of the organisation' }),
  node: Type.String(),
  version: Type.String(),
  stack: Type.Optional(Type.String({ description: 'name of the stack; absent for a node without one' })),
  namespaces: Type.Array(Type.String(), { description: 'those that the caller may use' }),
  auth: Type.Boolean({ description: 'whether the node asks for credentials' }),
  joins: Type.Boolean({ description: 'whether the supervisor of the stack answers at /ui/_stack' }),
  parties: Type.Array(Type.Object({ name: Type.String(), url: Type.String() }), {
    description: 'the nodes of the stack, by party, where their addresses are known',
  }),
});
export type ExplorerConfig = Static<typeof ExplorerConfig>;

/** The list of the explorer's built files, which its build writes beside them. Names are relative to the list. */
export const ExplorerManifest = Type.Object({
  files: Type.Array(Type.Object({ name: Type.String(), type: Type.String({ description: 'media type' }) })),
});

/** The placeholder in the built page that each response replaces with its own nonce. */
export const noncePlaceholder = 'nonce-of-this-answer';
