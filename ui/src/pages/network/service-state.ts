import type { Static } from '@sinclair/typebox';
import type { JoinedServices } from '../../../../src/wire/stack-view.js';

/** A process of the stack, as its supervisor sees it. */
export type ServiceState = Static<typeof JoinedServices>['services'][number];
