import { type Static, Type } from '@sinclair/typebox';
import { Time } from '../scalar.js';

/** A namespace of a node (docs/api.md §21.1). */
export const Namespace = Type.Object({
  name: Type.String(),
  networkName: Type.String(),
  description: Type.String(),
  created: Type.Optional(Time),
});
export type Namespace = Static<typeof Namespace>;
