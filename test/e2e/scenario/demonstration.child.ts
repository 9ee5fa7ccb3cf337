/** A process that starts the demonstration, to be killed: `node --import tsx demonstration.child.ts <dataDir>`. */
import { startDemonstration } from '../../../deploy/demo/demonstration.ts'
import { testContext } from '../../kit/context.ts'

const [, , dataDir = ''] = process.argv
const { played } = await startDemonstration(testContext(), dataDir, () => {})
played.catch(() => undefined)
process.stdout.write('started\n')
