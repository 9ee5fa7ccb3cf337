import { createTonSourceWorld } from '../../../kit/source-worlds/ton.ts'
import { describeSource } from '../source.suite.ts'

describeSource('TON, version 2 of the API', () => createTonSourceWorld(2))
describeSource('TON, version 3 of the API', () => createTonSourceWorld(3))
