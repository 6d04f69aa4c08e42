import type { JoinedServices } from '../../../../src/wire/network/stack-view.js';

/** The state of a process, from the supervisor. */
export type ServiceState = JoinedServices['services'][number];
