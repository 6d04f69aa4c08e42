#!/usr/bin/env node
import { load } from './load.js';

const { main } = await load('chain');
await main(process.argv[2]);
