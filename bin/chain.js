#!/usr/bin/env node
import { main } from '../dist/devchain/main.js';

await main(process.argv[2]);
