import type { Plant } from '../plant.js';
import { chainPlants } from './chain.js';
import { contentPlants } from './content.js';
import { contractPlants } from './contracts.js';
import { deletionPlants } from './deletion.js';
import { deliveryPlants } from './delivery.js';
import { filePlants } from './files.js';
import { identityPlants } from './identities.js';
import { intakePlants } from './intake.js';
import { listenerPlants } from './listeners.js';
import { orderPlants } from './order.js';
import { overlapPlants } from './overlaps.js';
import { privatePlants } from './private.js';
import { rebuildPlants } from './rebuild.js';
import { webhookPlants } from './subscribers.js';
import { tokenPlants } from './tokens.js';

/** Every bug that the seeds must notice. */
export const plants: readonly Plant[] = [
  ...orderPlants,
  ...chainPlants,
  ...intakePlants,
  ...contentPlants,
  ...privatePlants,
  ...deliveryPlants,
  ...tokenPlants,
  ...rebuildPlants,
  ...deletionPlants,
  ...filePlants,
  ...webhookPlants,
  ...contractPlants,
  ...identityPlants,
  ...listenerPlants,
  ...overlapPlants,
];
