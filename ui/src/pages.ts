import { type ComponentType, lazy } from 'react';
import type { IconName } from './components/icon.js';

/** A page of the explorer. Its folder is `pages/<name>/`; ui/README.md says how one is made. */
export interface PageModule {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** The key that opens it behind `g`. */
  readonly key: string;
  readonly Page: ComponentType;
}

/** Every page, in the order of the rail. What is not here does not exist for anybody. */
export const pages: readonly PageModule[] = [
  {
    ...{ name: 'overview', title: 'Overview', icon: 'overview', key: 'o' },
    Page: lazy(async () => ({ default: (await import('./pages/overview/overview-page.js')).OverviewPage })),
  },
  {
    ...{ name: 'events', title: 'Events', icon: 'events', key: 'e' },
    Page: lazy(async () => ({ default: (await import('./pages/events/events-page.js')).EventsPage })),
  },
  {
    ...{ name: 'messages', title: 'Messages', icon: 'messages', key: 'm' },
    Page: lazy(async () => ({ default: (await import('./pages/messages/messages-page.js')).MessagesPage })),
  },
  {
    ...{ name: 'compose', title: 'Compose', icon: 'compose', key: 'c' },
    Page: lazy(async () => ({ default: (await import('./pages/compose/compose-page.js')).ComposePage })),
  },
  {
    ...{ name: 'data', title: 'Data', icon: 'data', key: 'd' },
    Page: lazy(async () => ({ default: (await import('./pages/data/data-page.js')).DataPage })),
  },
  {
    ...{ name: 'datatypes', title: 'Datatypes', icon: 'datatypes', key: 'y' },
    Page: lazy(async () => ({ default: (await import('./pages/datatypes/datatypes-page.js')).DatatypesPage })),
  },
  {
    ...{ name: 'tokens', title: 'Tokens', icon: 'tokens', key: 't' },
    Page: lazy(async () => ({ default: (await import('./pages/tokens/tokens-page.js')).TokensPage })),
  },
  {
    ...{ name: 'contracts', title: 'Contracts', icon: 'contracts', key: 'k' },
    Page: lazy(async () => ({ default: (await import('./pages/contracts/contracts-page.js')).ContractsPage })),
  },
  {
    ...{ name: 'subscriptions', title: 'Subscriptions', icon: 'subscriptions', key: 's' },
    Page: lazy(async () => ({
      default: (await import('./pages/subscriptions/subscriptions-page.js')).SubscriptionsPage,
    })),
  },
  {
    ...{ name: 'network', title: 'Network', icon: 'network', key: 'n' },
    Page: lazy(async () => ({ default: (await import('./pages/network/network-page.js')).NetworkPage })),
  },
  {
    ...{ name: 'groups', title: 'Groups', icon: 'groups', key: 'p' },
    Page: lazy(async () => ({ default: (await import('./pages/groups/groups-page.js')).GroupsPage })),
  },
  {
    ...{ name: 'flow', title: 'Flow', icon: 'flow', key: 'w' },
    Page: lazy(async () => ({ default: (await import('./pages/flow/flow-page.js')).FlowPage })),
  },
  {
    ...{ name: 'topics', title: 'Topics', icon: 'topics', key: 'i' },
    Page: lazy(async () => ({ default: (await import('./pages/topics/topics-page.js')).TopicsPage })),
  },
];
