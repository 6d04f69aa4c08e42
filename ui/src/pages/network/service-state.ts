import type { JoinedServices } from '../../../../src/wire/network/stack-view.js';

/** A process of the stack, as its supervisor sees it. */
export type ServiceState = JoinedServices['services'][number];
