import { createTonSourceWorld } from '../../kit/source-worlds/ton.ts'
import { describeSource } from './source.suite.ts'

describeSource('TON', createTonSourceWorld)
