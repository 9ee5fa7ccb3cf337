// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Calls} from "./Calls.sol";

/// Where the token trades and who plays. kind: 0 none, 1 V2, 2 V3, 3 Solidly, 4 V4 (pool = PoolManager), more in Venues.sol.
struct Setup {
    address token;
    address base;
    address pool;
    uint256 kind;
    /// V2: fee in hundredths of a basis point. V4: packed fee | tickSpacing << 24. Venues.sol has its own.
    uint256 fee;
    address router;
    address hooks;
    /// Base units of a small trade and of a large one.
    uint256 small;
    uint256 large;
    address victim;
    address bystander;
    address receiver;
    address buyer;
}

/// Swaps against pools of every shape, without a router. Reverts when refused.
abstract contract Swaps is Calls {
    uint160 private constant MIN_PRICE = 4295128740;
    uint160 private constant MAX_PRICE = 1461446703485210103287273052203988822378723970341;

    // ---- pairs: V2 and Solidly ------------------------------------------------------------------------------------

    function _swap(Setup calldata s, address out, uint256 amount, address to) internal {
        address other = out == s.token ? s.base : s.token;
        (uint256 a0, uint256 a1) = out < other ? (amount, uint256(0)) : (uint256(0), amount);
        _must(address(this), s.pool, abi.encodeWithSelector(0x022c0d9f, a0, a1, to, 0x80, 0));
    }

    function _quote(Setup calldata s, address tokenIn, uint256 amount) internal view returns (uint256 out) {
        if (s.kind == 3) {
            (, out) = _read(s.pool, abi.encodeWithSelector(0xf140a35a, amount, tokenIn));
            return out;
        }
        (uint256 rIn, uint256 rOut) = _reserves(s.pool, tokenIn, tokenIn == s.token ? s.base : s.token);
        uint256 net = amount * (1_000_000 - s.fee);
        out = (net * rOut) / (rIn * 1_000_000 + net);
    }

    function _reserves(address pool, address tokenIn, address tokenOut) internal view returns (uint256, uint256) {
        (bool ok, bytes memory data) = pool.staticcall{gas: READ_GAS}(abi.encodeWithSelector(0x0902f1ac));
        if (!ok || data.length < 64) revert("no reserves");
        (uint256 r0, uint256 r1) = abi.decode(data, (uint256, uint256));
        return tokenIn < tokenOut ? (r0, r1) : (r1, r0);
    }

    // ---- V3 -------------------------------------------------------------------------------------------------------

    function _swap3(Setup calldata s, address tokenIn, address payer, address to, uint256 amount) internal returns (uint256) {
        address tokenOut = tokenIn == s.token ? s.base : s.token;
        bool zeroForOne = tokenIn < tokenOut;
        bytes memory input = abi.encodeWithSelector(
            0x128acb08, to, zeroForOne, amount, zeroForOne ? MIN_PRICE : MAX_PRICE, abi.encode(tokenIn, payer)
        );
        (bool ok, bytes memory result) = s.pool.call{gas: ACT_GAS}(input);
        if (!ok) _rethrow();
        (int256 d0, int256 d1) = abi.decode(result, (int256, int256));
        return uint256(-(zeroForOne ? d1 : d0));
    }

    /// Uniswap, Pancake and Algebra swap callbacks share their shape: (int256, int256, bytes).
    fallback(bytes calldata input) external payable returns (bytes memory) {
        (int256 d0, int256 d1, bytes memory data) = abi.decode(input[4:], (int256, int256, bytes));
        (address tokenIn, address payer) = abi.decode(data, (address, address));
        _pay(tokenIn, payer, msg.sender, uint256(d0 > 0 ? d0 : d1));
        return "";
    }

    function _pay(address token, address payer, address to, uint256 amount) internal {
        if (payer == address(this)) _transfer(token, payer, to, amount);
        else _transferFrom(token, payer, to, amount);
    }

    // ---- V4: unlock, swap, settle, take ---------------------------------------------------------------------------

    struct Job {
        address token;
        address base;
        uint256 fee;
        address hooks;
        address tokenIn;
        address payer;
        address to;
        uint256 amount;
    }

    /// Returns what the pool says it gave, and what the manager saw arrive.
    function _swap4(Setup calldata s, address tokenIn, address payer, address to, uint256 amount)
        internal
        returns (uint256, uint256)
    {
        bytes memory job = abi.encode(s.token, s.base, s.fee, s.hooks, tokenIn, payer, to, amount);
        (bool ok, bytes memory result) = s.pool.call{gas: ACT_GAS}(abi.encodeWithSelector(0x48c89491, job));
        if (!ok) _rethrow();
        return abi.decode(abi.decode(result, (bytes)), (uint256, uint256));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        Job memory j = abi.decode(data, (Job));
        (address c0, address c1) = j.token < j.base ? (j.token, j.base) : (j.base, j.token);
        bool zeroForOne = j.tokenIn == c0;
        // Paid first: of a token that keeps a part of every transfer less arrives, and that is what is swapped.
        uint256 paid = _settle(j.tokenIn, j.payer, j.amount);
        uint256 limit = zeroForOne ? MIN_PRICE : MAX_PRICE;
        (bool ok, bytes memory result) = msg.sender.call{gas: ACT_GAS}(
            abi.encodeWithSelector(
                0xf3cd914c, c0, c1, j.fee & 0xffffff, j.fee >> 24, j.hooks, zeroForOne, -int256(paid), limit, 0x120, 0
            )
        );
        if (!ok) _rethrow();
        int256 delta = abi.decode(result, (int256));
        int128 out = zeroForOne ? int128(delta) : int128(delta >> 128);
        _must(address(this), msg.sender, abi.encodeWithSelector(0x0b0d9c09, zeroForOne ? c1 : c0, j.to, uint256(int256(out))));
        return abi.encode(uint256(int256(out)), paid);
    }

    /// Pays a manager of V4 or vault of Infinity that called us. Returns what arrived there.
    function _settle(address token, address payer, uint256 amount) internal returns (uint256) {
        _must(address(this), msg.sender, abi.encodeWithSelector(0xa5841194, token));
        if (token != address(0)) _pay(token, payer, msg.sender, amount);
        return _ask(address(this), msg.sender, token == address(0) ? amount : 0, abi.encodeWithSelector(0x11da60b4));
    }

    // ---- others ---------------------------------------------------------------------------------------------------

    /// Swaps where none of these designs trade. Returns what the pool says it gave, and what it saw arrive.
    function _swapElsewhere(Setup calldata, address, address, address, uint256) internal virtual returns (uint256, uint256) {
        revert("no market");
    }
}
