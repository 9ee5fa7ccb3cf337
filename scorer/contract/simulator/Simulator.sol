// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Runs a script of trades and calls inside one eth_call and reports what each step did. Its runtime code is placed by
/// state override at a fresh address (the director) and at every actor, so that any address can be made to act.
/// Nothing is ever deployed. Every outside call has a gas cap and copies back at most 128 bytes.
contract Simulator {
    /// Where the token trades and who plays. kind: 0 none, 1 V2, 2 V3, 3 Solidly, 4 V4 (pool = PoolManager).
    struct Setup {
        address token;
        address base;
        address pool;
        uint256 kind;
        /// V2: fee in hundredths of a basis point. V4: packed fee | tickSpacing << 24.
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

    uint256 private constant ACT_GAS = 4_000_000;
    uint256 private constant READ_GAS = 300_000;
    uint256 private constant RESERVE = 9_000_000;
    uint256 private constant STEP_WORDS = 5;
    uint256 private constant PROBE_WORDS = 26;
    uint256 private constant LIGHT_WORDS = 12;
    /// Bytes of a setup as calldata.
    uint256 private constant SETUP = 416;
    uint160 private constant MIN_PRICE = 4295128740;
    uint160 private constant MAX_PRICE = 1461446703485210103287273052203988822378723970341;

    receive() external payable {}

    /// Any actor: makes the call as itself. Reports at most the first word of what came back.
    function act(address to, uint256 value, uint256 gasCap, bytes calldata data) external returns (bool ok, uint256 word) {
        return _raw(to, value, data, gasCap);
    }

    /// The director: executes the script, keeping its effects from step to step. Returns result words.
    function run(Setup calldata s, bytes calldata script) external payable {
        uint256[] memory words = _execute(s, script);
        assembly {
            return(add(words, 32), mul(mload(words), 32))
        }
    }

    /// The same with all effects undone: the words come back as revert data.
    function attempt(Setup calldata s, bytes calldata script) external {
        uint256[] memory words = _execute(s, script);
        assembly {
            revert(add(words, 32), mul(mload(words), 32))
        }
    }

    function _execute(Setup calldata s, bytes calldata script) private returns (uint256[] memory words) {
        words = new uint256[](_capacity(script));
        uint256 n = 0;
        for (uint256 i = 0; i < script.length; ) {
            (uint256 op, address actor, address target, uint256 amount, bytes calldata data) = _stepAt(script, i);
            i += 77 + data.length;
            if (gasleft() < RESERVE) {
                words[n] = 2;
                n += op == 6 ? 1 + _capacity(data) : _width(op);
            } else if (op == 6) {
                n = _branch(data, words, n);
            } else if (op == 7 || op == 9) {
                n = _probe(actor, target, amount, op == 9, data, words, n);
            } else {
                uint256 before = gasleft();
                (words[n], words[n + 1], words[n + 2], words[n + 4]) = _step(op, actor, target, amount, data);
                words[n + 3] = before - gasleft();
                n += STEP_WORDS;
            }
        }
    }

    /// Scripts are spelled by script.ts and end with a whole step, so nothing is checked.
    function _stepAt(bytes calldata script, uint256 i)
        private
        pure
        returns (uint256 op, address actor, address target, uint256 amount, bytes calldata data)
    {
        assembly {
            let at := add(script.offset, i)
            op := byte(0, calldataload(at))
            actor := shr(96, calldataload(add(at, 1)))
            target := shr(96, calldataload(add(at, 21)))
            amount := calldataload(add(at, 41))
            data.length := shr(224, calldataload(add(at, 73)))
            data.offset := add(at, 77)
        }
    }

    function _capacity(bytes calldata script) private pure returns (uint256 n) {
        for (uint256 i = 0; i < script.length; ) {
            (uint256 op, , , , bytes calldata data) = _stepAt(script, i);
            n += op == 6 ? 1 + _capacity(data) : _width(op);
            i += 77 + data.length;
        }
    }

    function _width(uint256 op) private pure returns (uint256) {
        return op == 7 ? PROBE_WORDS : op == 9 ? LIGHT_WORDS : STEP_WORDS;
    }

    /// Every call to ourselves carries the setup this call came with, behind the selector.
    function _branch(bytes calldata data, uint256[] memory words, uint256 n) private returns (uint256) {
        uint256 inner = _capacity(data);
        uint256 selector = uint32(this.attempt.selector);
        uint256 given = gasleft() - RESERVE / 2;
        assembly {
            let at := mload(0x40)
            mstore(at, shl(224, selector))
            calldatacopy(add(at, 4), 4, SETUP)
            mstore(add(at, add(SETUP, 4)), add(SETUP, 32))
            mstore(add(at, add(SETUP, 36)), data.length)
            calldatacopy(add(at, add(SETUP, 68)), data.offset, data.length)
            pop(call(given, address(), 0, at, add(data.length, add(SETUP, 68)), 0, 0))
            if eq(returndatasize(), mul(inner, 32)) {
                let to := add(add(words, 32), mul(n, 32))
                mstore(to, 1)
                returndatacopy(add(to, 32), 0, mul(inner, 32))
            }
        }
        return n + 1 + inner;
    }

    function _step(uint256 op, address actor, address target, uint256 amount, bytes calldata data)
        private
        returns (uint256 ok, uint256 a, uint256 b, uint256 word)
    {
        if (op == 0) return _call(actor, target, amount, data);
        if (op == 1) {
            bool good;
            (good, word) = _read(target, data);
            return (good ? 1 : 0, word, 0, word);
        }
        uint256 given = gasleft() - RESERVE / 2;
        if (given > ACT_GAS * 2) given = ACT_GAS * 2;
        (ok, a, b) = _play(given, op, actor, target, amount, 0);
        if (ok == 0) word = _reason();
    }

    function _call(address actor, address target, uint256 value, bytes calldata data)
        private
        returns (uint256 ok, uint256 a, uint256 b, uint256 word)
    {
        bool good;
        (good, word) = _as(actor, target, value, data);
        return (good ? 1 : 0, word, b, word);
    }

    /// Trades or moves in a call of its own. Undone, what happened comes back as three words of revert data.
    function _play(uint256 given, uint256 op, address actor, address target, uint256 amount, uint256 undone)
        private
        returns (uint256 ok, uint256 a, uint256 b)
    {
        uint256 selector = uint32(this.play.selector);
        assembly {
            let at := mload(0x40)
            mstore(at, shl(224, selector))
            calldatacopy(add(at, 4), 4, SETUP)
            let args := add(at, add(SETUP, 4))
            mstore(args, op)
            mstore(add(args, 0x20), actor)
            mstore(add(args, 0x40), target)
            mstore(add(args, 0x60), amount)
            mstore(add(args, 0x80), undone)
            ok := call(given, address(), 0, at, add(SETUP, 0xa4), 0, 0x40)
            if ok {
                a := mload(0)
                b := mload(0x20)
            }
            if and(undone, eq(returndatasize(), 0x60)) {
                returndatacopy(at, 0, 0x60)
                ok := mload(at)
                a := mload(add(at, 0x20))
                b := mload(add(at, 0x40))
            }
        }
    }

    function play(Setup calldata s, uint256 op, address actor, address target, uint256 amount, bool undone) external {
        uint256 a;
        uint256 b;
        if (op == 2) (a, b) = _buy(s, actor, amount);
        else if (op == 3) (a, b) = _sell(s, actor, amount, target);
        else if (op == 8) (a, b) = _move(s.base, address(this), target, amount, false);
        else (a, b) = _move(s.token, actor, target, amount, op == 5);
        assembly {
            mstore(0, a)
            mstore(0x20, b)
            if undone {
                let at := mload(0x40)
                mstore(at, 1)
                mstore(add(at, 0x20), a)
                mstore(add(at, 0x40), b)
                revert(at, 0x60)
            }
            return(0, 0x40)
        }
    }

    // ---- owner powers -------------------------------------------------------------------------------------------

    /// Calls as `actor`, looks at everything a holder would feel (`light`: at balances and owner only), and undoes it all.
    function _probe(address actor, address target, uint256 value, bool light, bytes calldata data, uint256[] memory words, uint256 n)
        private
        returns (uint256)
    {
        uint256 selector = uint32(this.probe.selector);
        uint256 width = _width(light ? 9 : 7);
        uint256 given = gasleft() - RESERVE / 2;
        assembly {
            let at := mload(0x40)
            mstore(at, shl(224, selector))
            calldatacopy(add(at, 4), 4, SETUP)
            let args := add(at, add(SETUP, 4))
            mstore(args, actor)
            mstore(add(args, 0x20), target)
            mstore(add(args, 0x40), value)
            mstore(add(args, 0x60), light)
            mstore(add(args, 0x80), add(SETUP, 0xa0))
            mstore(add(args, 0xa0), data.length)
            calldatacopy(add(args, 0xc0), data.offset, data.length)
            pop(call(given, address(), 0, at, add(data.length, add(SETUP, 0xc4)), 0, 0))
            if eq(returndatasize(), mul(width, 32)) { returndatacopy(add(add(words, 32), mul(n, 32)), 0, mul(width, 32)) }
        }
        return n + width;
    }

    function probe(Setup calldata s, address actor, address target, uint256 value, bool light, bytes calldata data) external {
        uint256[26] memory w;
        bool ok = true;
        if (data.length > 0) (ok, w[1]) = _as(actor, target, value, data);
        w[0] = ok ? 1 : 0;
        if (ok) _observe(s, actor, light, w);
        uint256 width = _width(light ? 9 : 7);
        assembly {
            revert(w, mul(width, 32))
        }
    }

    function _observe(Setup calldata s, address actor, bool light, uint256[26] memory w) private {
        (, w[2]) = _read(s.token, abi.encodeWithSelector(0x18160ddd));
        w[3] = _balance(s.token, s.victim);
        w[4] = _balance(s.token, s.bystander);
        w[5] = _balance(s.token, actor);
        w[6] = _balance(s.token, s.pool);
        w[7] = _balance(s.token, s.token);
        bool has;
        (has, w[8]) = _read(s.token, abi.encodeWithSelector(0x8da5cb5b));
        if (!has) w[8] = type(uint256).max;
        w[9] = s.token.balance;
        w[10] = s.base == address(0) ? 0 : _balance(s.base, s.token);
        w[11] = s.base == address(0) ? 0 : _balance(s.base, s.victim);
        if (light) return;
        (w[12], w[13]) = _try(4, s.victim, s.receiver, 100);
        (w[14], w[15]) = _try(4, s.bystander, s.receiver, 100);
        (w[16], w[17]) = _try(5, s.victim, s.receiver, 5000);
        if (s.pool != address(0)) {
            (w[18], w[19]) = _try(3, s.victim, address(0), 100);
            (w[20], w[21]) = _try(3, s.bystander, address(0), 100);
            (w[22], w[23]) = _try(3, s.victim, address(0), 9000);
            if (s.kind != 0) {
                (w[24], w[25]) = _try(2, s.buyer, address(0), s.small);
                if (w[24] == 1) {
                    (uint256 big, ) = _try(2, s.buyer, address(0), s.large);
                    w[24] += big << 1;
                }
            }
        }
    }

    /// A trade or transfer, undone. share = what arrived, in millionths of what was sent.
    function _try(uint256 op, address actor, address target, uint256 amount) private returns (uint256 ok, uint256 share) {
        uint256 given = gasleft() / 2;
        if (given > ACT_GAS) given = ACT_GAS;
        uint256 sent;
        uint256 arrived;
        (ok, sent, arrived) = _play(given, op, actor, target, amount, 1);
        if (ok == 0) return (0, 0);
        assembly {
            if sent { share := div(mul(arrived, 1000000), sent) }
            if gt(arrived, div(not(0), 1000001)) { share := 1000000 }
        }
    }

    // ---- transfers and trades: revert when refused ----------------------------------------------------------------

    /// Moves `amount` (up to 10000: basis points of the balance). Returns what left and what arrived.
    function _move(address token, address from, address to, uint256 amount, bool byAllowance) private returns (uint256 sent, uint256 arrived) {
        uint256 held = _balance(token, from);
        sent = amount <= 10_000 ? (held * amount) / 10_000 : amount;
        if (sent == 0) revert("nothing to move");
        uint256 before = _balance(token, to);
        if (byAllowance) {
            _must(from, token, abi.encodeWithSelector(0x095ea7b3, address(this), sent));
            _must(address(this), token, abi.encodeWithSelector(0x23b872dd, from, to, sent));
        } else {
            _must(from, token, abi.encodeWithSelector(0xa9059cbb, to, sent));
        }
        uint256 afterwards = _balance(token, to);
        arrived = afterwards > before ? afterwards - before : 0;
        if (arrived == 0 && _balance(token, from) >= held) revert("nothing moved");
    }

    /// Buys with `amount` base units held by the director. Returns what the pool gave and what arrived.
    function _buy(Setup calldata s, address to, uint256 amount) private returns (uint256 expected, uint256 received) {
        uint256 before = _balance(s.token, to);
        if (s.router != address(0)) {
            expected = _quote(s, s.base, amount);
            _must(address(this), s.base, abi.encodeWithSelector(0x095ea7b3, s.router, amount));
            _must(address(this), s.router, abi.encodeWithSelector(0x5c11d795, amount, 0, 0xa0, to, block.timestamp, 2, s.base, s.token));
        } else if (s.kind == 1 || s.kind == 3) {
            expected = _quote(s, s.base, amount);
            _must(address(this), s.base, abi.encodeWithSelector(0xa9059cbb, s.pool, amount));
            _swap(s, s.token, expected, to);
        } else if (s.kind == 2) {
            expected = _swap3(s, s.base, address(this), to, amount);
        } else if (s.kind == 4) {
            expected = _swap4(s, s.base, address(this), to, amount);
        } else {
            revert("no market");
        }
        uint256 afterwards = _balance(s.token, to);
        received = afterwards > before ? afterwards - before : 0;
        if (received == 0) revert("nothing received");
    }

    /// Sells `amount` (up to 10000: basis points of the balance). Returns what was sent and what the pool saw arrive.
    /// `recipient` of the base; the seller when zero. Without a market: a transfer to the pool.
    function _sell(Setup calldata s, address from, uint256 amount, address recipient) private returns (uint256 sent, uint256 arrived) {
        uint256 held = _balance(s.token, from);
        sent = amount <= 10_000 ? (held * amount) / 10_000 : amount;
        if (sent == 0) revert("nothing to sell");
        if (recipient == address(0)) recipient = from;
        uint256 got = s.base == address(0) ? 0 : _balance(s.base, recipient);
        if (s.router != address(0)) {
            _must(from, s.token, abi.encodeWithSelector(0x095ea7b3, s.router, sent));
            uint256 full = _quote(s, s.token, sent);
            _must(from, s.router, abi.encodeWithSelector(0x5c11d795, sent, 0, 0xa0, recipient, block.timestamp, 2, s.token, s.base));
            uint256 paid = _balance(s.base, recipient) - got;
            arrived = full == 0 ? 0 : (sent * paid) / full;
        } else if (s.kind == 1 || s.kind == 3) {
            _allow(s.token, from, sent);
            _must(address(this), s.token, abi.encodeWithSelector(0x23b872dd, from, s.pool, sent));
            (uint256 inReserve, ) = _reserves(s.pool, s.token, s.base);
            uint256 pooled = _balance(s.token, s.pool);
            arrived = pooled > inReserve ? pooled - inReserve : 0;
            if (arrived == 0) revert("nothing arrived");
            _swap(s, s.base, _quote(s, s.token, arrived), recipient);
        } else if (s.kind == 2) {
            _allow(s.token, from, sent);
            _swap3(s, s.token, from, recipient, sent);
            arrived = sent;
        } else if (s.kind == 4) {
            _allow(s.token, from, sent);
            _swap4(s, s.token, from, recipient, sent);
            arrived = sent;
        } else {
            _allow(s.token, from, sent);
            uint256 before = _balance(s.token, s.pool);
            _must(address(this), s.token, abi.encodeWithSelector(0x23b872dd, from, s.pool, sent));
            arrived = _balance(s.token, s.pool) - before;
            return (sent, arrived);
        }
        if (_balance(s.base, recipient) <= got) revert("nothing paid");
    }

    function _swap(Setup calldata s, address out, uint256 amount, address to) private {
        address other = out == s.token ? s.base : s.token;
        (uint256 a0, uint256 a1) = out < other ? (amount, uint256(0)) : (uint256(0), amount);
        _must(address(this), s.pool, abi.encodeWithSelector(0x022c0d9f, a0, a1, to, 0x80, 0));
    }

    function _quote(Setup calldata s, address tokenIn, uint256 amount) private view returns (uint256 out) {
        if (s.kind == 3) {
            (, out) = _read(s.pool, abi.encodeWithSelector(0xf140a35a, amount, tokenIn));
            return out;
        }
        (uint256 rIn, uint256 rOut) = _reserves(s.pool, tokenIn, tokenIn == s.token ? s.base : s.token);
        uint256 net = amount * (1_000_000 - s.fee);
        out = (net * rOut) / (rIn * 1_000_000 + net);
    }

    function _reserves(address pool, address tokenIn, address tokenOut) private view returns (uint256, uint256) {
        (bool ok, bytes memory data) = pool.staticcall{gas: READ_GAS}(abi.encodeWithSelector(0x0902f1ac));
        if (!ok || data.length < 64) revert("no reserves");
        (uint256 r0, uint256 r1) = abi.decode(data, (uint256, uint256));
        return tokenIn < tokenOut ? (r0, r1) : (r1, r0);
    }

    function _swap3(Setup calldata s, address tokenIn, address payer, address to, uint256 amount) private returns (uint256) {
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

    function _pay(address token, address payer, address to, uint256 amount) private {
        if (payer == address(this)) _must(payer, token, abi.encodeWithSelector(0xa9059cbb, to, amount));
        else _must(address(this), token, abi.encodeWithSelector(0x23b872dd, payer, to, amount));
    }

    // ---- V4: unlock, swap, settle, take ---------------------------------------------------------------------------

    function _swap4(Setup calldata s, address tokenIn, address payer, address to, uint256 amount) private returns (uint256 out) {
        bytes memory job = abi.encode(s.token, s.base, s.fee, s.hooks, tokenIn, payer, to, amount);
        (bool ok, bytes memory result) = s.pool.call{gas: ACT_GAS}(abi.encodeWithSelector(0x48c89491, job));
        if (!ok) _rethrow();
        out = abi.decode(abi.decode(result, (bytes)), (uint256));
    }

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

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        Job memory j = abi.decode(data, (Job));
        (address c0, address c1) = j.token < j.base ? (j.token, j.base) : (j.base, j.token);
        bool zeroForOne = j.tokenIn == c0;
        uint256 limit = zeroForOne ? MIN_PRICE : MAX_PRICE;
        (bool ok, bytes memory result) = msg.sender.call{gas: ACT_GAS}(
            abi.encodeWithSelector(
                0xf3cd914c, c0, c1, j.fee & 0xffffff, j.fee >> 24, j.hooks, zeroForOne, -int256(j.amount), limit, 0x120, 0
            )
        );
        if (!ok) _rethrow();
        int256 delta = abi.decode(result, (int256));
        int128 out = zeroForOne ? int128(delta) : int128(delta >> 128);
        _must(address(this), msg.sender, abi.encodeWithSelector(0xa5841194, j.tokenIn));
        if (j.tokenIn == address(0)) _mustPay(msg.sender, abi.encodeWithSelector(0x11da60b4), j.amount);
        else {
            _pay(j.tokenIn, j.payer, msg.sender, j.amount);
            _must(address(this), msg.sender, abi.encodeWithSelector(0x11da60b4));
        }
        _must(address(this), msg.sender, abi.encodeWithSelector(0x0b0d9c09, zeroForOne ? c1 : c0, j.to, uint256(int256(out))));
        return abi.encode(uint256(int256(out)));
    }

    // ---- calls ----------------------------------------------------------------------------------------------------

    function _as(address actor, address to, uint256 value, bytes memory data) private returns (bool ok, uint256 word) {
        if (actor == address(this)) return _raw(to, value, data, ACT_GAS);
        uint256 selector = uint32(this.act.selector);
        assembly {
            let at := mload(0x40)
            let size := mload(data)
            mstore(at, shl(224, selector))
            mstore(add(at, 4), to)
            mstore(add(at, 36), value)
            mstore(add(at, 68), ACT_GAS)
            mstore(add(at, 100), 0x80)
            mstore(add(at, 132), size)
            for { let i := 0 } lt(i, size) { i := add(i, 32) } { mstore(add(at, add(164, i)), mload(add(data, add(32, i)))) }
            ok := call(gas(), actor, 0, at, add(164, size), 0, 0x40)
            if ok {
                ok := and(mload(0), gt(returndatasize(), 63))
                word := mload(0x20)
            }
        }
    }

    /// Lets us spend what is sold. A plain account cannot be made to act: it has approved us in a transaction of its own.
    function _allow(address token, address from, uint256 amount) private {
        if (from.code.length > 0) _must(from, token, abi.encodeWithSelector(0x095ea7b3, address(this), amount));
    }

    function _must(address actor, address to, bytes memory data) private {
        (bool ok, uint256 word) = _as(actor, to, 0, data);
        if (!ok) _fail(word);
        if (word == 0 && _returnsFlag(data)) revert("answered false");
    }

    function _mustPay(address to, bytes memory data, uint256 value) private {
        (bool ok, uint256 word) = _raw(to, value, data, ACT_GAS);
        if (!ok) _fail(word);
    }

    /// transfer, transferFrom, approve: an answer of false is a refusal; no answer at all is success.
    function _returnsFlag(bytes memory data) private pure returns (bool) {
        bytes4 selector = bytes4(data);
        return selector == 0xa9059cbb || selector == 0x23b872dd;
    }

    function _fail(uint256 word) private pure {
        assembly {
            mstore(0, word)
            revert(0, 32)
        }
    }

    function _rethrow() private pure {
        uint256 word = _reason();
        _fail(word);
    }

    /// One word that tells why the last call failed: a 32-byte reason of ours, the head of an Error(string), or the first word.
    function _reason() private pure returns (uint256 word) {
        assembly {
            let size := returndatasize()
            if gt(size, 127) { size := 128 }
            let at := mload(0x40)
            mstore(at, 0)
            returndatacopy(at, 0, size)
            word := mload(at)
            if and(eq(shr(224, word), 0x08c379a0), gt(size, 68)) { word := mload(add(at, 68)) }
        }
    }

    /// `word` is the first word returned (1 when nothing was), or the reason of the failure.
    function _raw(address to, uint256 value, bytes memory data, uint256 gasCap) private returns (bool ok, uint256 word) {
        assembly {
            ok := call(gasCap, to, value, add(data, 32), mload(data), 0, 0)
            let at := mload(0x40)
            let size := returndatasize()
            if gt(size, 127) { size := 128 }
            mstore(at, 0)
            returndatacopy(at, 0, size)
            word := mload(at)
            if and(ok, iszero(size)) { word := 1 }
            if and(iszero(ok), and(eq(shr(224, word), 0x08c379a0), gt(size, 68))) { word := mload(add(at, 68)) }
        }
    }

    function _read(address to, bytes memory data) private view returns (bool ok, uint256 word) {
        assembly {
            ok := staticcall(READ_GAS, to, add(data, 32), mload(data), 0, 32)
            if lt(returndatasize(), 32) { ok := 0 }
            if ok { word := mload(0) }
        }
    }

    function _balance(address token, address who) private view returns (uint256 amount) {
        if (token == address(0)) return who.balance;
        (, amount) = _read(token, abi.encodeWithSelector(0x70a08231, who));
    }
}
