import { createLocalEvm } from '../../../scorer/contracts/chain/evm/local.ts'
import { createCodeReader } from '../../../scorer/contracts/code/reader.ts'

/**
 * Options of analyses that share the threads of a process. By default an analysis starts two of its own, and starting one takes a
 * third of a second of processor time, mostly to load the modules.
 */
export const SHARED_THREADS = { codes: createCodeReader(), evm: createLocalEvm() }
