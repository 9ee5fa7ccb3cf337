/** Rewrites the committed artifacts: `node --import tsx test/kit/contracts/solidity/artifacts.main.ts`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeJson } from '../../formatted-json.ts'
import { ARTIFACTS } from './artifacts.ts'
import { compileOwn, digestNow, KEPT, keptName, pack, solidityFiles } from './files.ts'

for (const { file, compile } of Object.values(ARTIFACTS)) {
  writeJson(file, compile())
}
rmSync(KEPT, { recursive: true, force: true })
mkdirSync(KEPT)
for (const file of solidityFiles()) {
  writeFileSync(join(KEPT, keptName(file)), pack({ digest: digestNow(file), contracts: compileOwn(file) }))
}
