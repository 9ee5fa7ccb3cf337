import { createLocalEvm } from '../../../scorer/contracts/chain/evm/local.ts'
import { createCodeReader } from '../../../scorer/contracts/code/reader.ts'

/**
 * Options of analyses that share the threads of a process. An analysis starts two of its own otherwise, and starting one takes a third
 * of a second of a processor, most of it to read the modules.
 */
export const SHARED_THREADS = { codes: createCodeReader(), evm: createLocalEvm() }
