import { createEthersCodec } from '../../src/adapters/contract-codec/ethers.js';
import { describeContractCodec } from './contract-codec.js';

describeContractCodec('ethers', createEthersCodec);
