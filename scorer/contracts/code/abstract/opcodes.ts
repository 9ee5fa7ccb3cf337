/** EVM instructions: results on constants, and effect on the height of the stack. */

/** Opcodes that the interpreter distinguishes (Yellow Paper, appendix H, and later forks). */
export const OP = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  MOD: 0x06,
  ADDMOD: 0x08,
  MULMOD: 0x09,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  NOT: 0x19,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
  CLZ: 0x1e,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBHASH: 0x49,
  BLOBBASEFEE: 0x4a,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  PUSH0: 0x5f,
  PUSH1: 0x60,
  PUSH20: 0x73,
  PUSH32: 0x7f,
  DUP1: 0x80,
  DUP16: 0x8f,
  SWAP1: 0x90,
  SWAP16: 0x9f,
  LOG0: 0xa0,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const

/** Mask of an address: 160 bits. */
export const MASK160 = (1n << 160n) - 1n
/** Mask of a word: 256 bits. */
export const WORD = (1n << 256n) - 1n

/** Exponent of a power of two, -1 for anything else. */
export const logOf2 = (value: bigint): number => {
  if (value <= 0n || (value & (value - 1n)) !== 0n) return -1
  return value.toString(2).length - 1
}

/** a to the power of b modulo 2^256, without numbers longer than two words. */
const power = (a: bigint, b: bigint): bigint => {
  let result = 1n
  for (let square = a, left = b; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) & WORD
    square = (square * square) & WORD
  }
  return result
}

/** Result of an instruction on two constants, `a` being the top of the stack; `undefined` for instructions that are not tracked. */
export const arithmetic = (op: number, a: bigint, b: bigint): bigint | undefined => {
  switch (op) {
    case OP.ADD:
      return (a + b) & WORD
    case OP.MUL:
      return (a * b) & WORD
    case OP.SUB:
      return (a - b) & WORD
    case OP.DIV:
      return b === 0n ? 0n : a / b
    case OP.EXP:
      return b > 256n ? undefined : power(a, b)
    case OP.LT:
      return a < b ? 1n : 0n
    case OP.GT:
      return a > b ? 1n : 0n
    case OP.EQ:
      return a === b ? 1n : 0n
    case OP.AND:
      return a & b
    case OP.OR:
      return a | b
    case OP.XOR:
      return a ^ b
    case OP.SHL:
      return a > 255n ? 0n : (b << a) & WORD
    case OP.SHR:
      return a > 255n ? 0n : b >> a
    default:
      return undefined
  }
}

/** Number of stack items that an instruction takes and puts. PUSH, DUP, SWAP, POP and jumps are handled elsewhere. */
export const arity = (op: number): [number, number] => {
  if (op === OP.ADDMOD || op === OP.MULMOD) return [3, 1]
  if (op <= OP.SIGNEXTEND && op > 0) return [2, 1]
  if (op >= OP.LT && op <= OP.SAR) return op === OP.ISZERO || op === OP.NOT ? [1, 1] : [2, 1]
  if (op === OP.CLZ) return [1, 1]
  if (op === OP.KECCAK256) return [2, 1]
  if (
    op === OP.BALANCE ||
    op === OP.CALLDATALOAD ||
    op === OP.EXTCODESIZE ||
    op === OP.EXTCODEHASH ||
    op === OP.BLOCKHASH ||
    op === OP.BLOBHASH
  )
    return [1, 1]
  if (op === OP.CALLDATACOPY || op === OP.CODECOPY || op === OP.RETURNDATACOPY || op === OP.MCOPY) return [3, 0]
  if (op === OP.EXTCODECOPY) return [4, 0]
  if (op >= OP.ADDRESS && op <= OP.BLOBBASEFEE) return [0, 1]
  if (op === OP.MLOAD || op === OP.SLOAD || op === OP.TLOAD) return [1, 1]
  if (op === OP.MSTORE || op === OP.MSTORE8 || op === OP.SSTORE || op === OP.TSTORE) return [2, 0]
  if (op === OP.PC || op === OP.MSIZE || op === OP.GAS) return [0, 1]
  if (op >= OP.LOG0 && op <= OP.LOG4) return [op - OP.LOG0 + 2, 0]
  if (op === OP.CREATE) return [3, 1]
  if (op === OP.CREATE2) return [4, 1]
  if (op === OP.CALL || op === OP.CALLCODE) return [7, 1]
  if (op === OP.DELEGATECALL || op === OP.STATICCALL) return [6, 1]
  return [0, 0]
}
