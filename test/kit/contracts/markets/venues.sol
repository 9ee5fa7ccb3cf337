// SPDX-License-Identifier: Apache-2.0
// Stand-ins for exchanges that no package holds: pools of Curve, the vaults of Balancer 2 and 3, PancakeSwap Infinity. They answer and
// call back as those do, and every pool of theirs asks a rule of its maker's what a swap pays. Swaps are the product's; who may make
// pools, fees and rounding are not played.
pragma solidity ^0.8.20;

interface Erc20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface Rule { function pays(address tokenIn, uint256 amount, uint256 heldIn, uint256 heldOut) external view returns (uint256); }

/// Pays what both sides are worth.
contract FairRule is Rule {
    function pays(address, uint256 amount, uint256 heldIn, uint256 heldOut) external pure returns (uint256) {
        return heldOut * amount * 997 / (heldIn * 1000 + amount * 997);
    }
}
/// Takes one token for next to nothing, or not at all.
contract OneWayRule is Rule {
    address private immutable token;
    bool private immutable refuses;
    constructor(address t, bool r) { (token, refuses) = (t, r); }
    function pays(address tokenIn, uint256 amount, uint256 heldIn, uint256 heldOut) external view returns (uint256) {
        require(tokenIn != token || !refuses, "closed");
        return tokenIn == token ? 1 : heldOut * amount / (heldIn + amount);
    }
}

/// Sells new tokens until a date, and takes none back, or takes them until then as well.
contract SaleRule is Rule {
    address private immutable token;
    uint256 private immutable end;
    bool private immutable back;
    constructor(address t, bool b) { (token, end, back) = (t, block.timestamp + 12 hours, b); }
    function pays(address tokenIn, uint256 amount, uint256 heldIn, uint256 heldOut) external view returns (uint256) {
        require(block.timestamp < end && (back || tokenIn != token), "no sale");
        return heldOut * amount / (heldIn + amount);
    }
}

library Move {
    function send(address token, address to, uint256 amount) internal {
        if (token == address(0)) { (bool ok, ) = to.call{value: amount}(""); require(ok, "coins"); return; }
        (bool done, bytes memory answer) = token.call(abi.encodeCall(Erc20.transfer, (to, amount)));
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transfer");
    }
    function pull(address token, address from, uint256 amount) internal {
        (bool done, bytes memory answer) = token.call(abi.encodeCall(Erc20.transferFrom, (from, address(this), amount)));
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "transferFrom");
    }
}

// ---- Curve --------------------------------------------------------------------------------------------------------

/// Numbers of coins are signed in stable pools; pools whose numbers are unsigned have `gamma`.
abstract contract CurveStandIn {
    address[] public coins;
    uint256[] public balances;
    Rule private immutable rule;
    mapping(address => uint256) public balanceOf;
    uint256 public totalSupply;
    event AddLiquidity(address indexed provider, uint256[] amounts, uint256[] fees, uint256 invariant, uint256 supply);

    constructor(address[] memory list, address r) { coins = list; balances = new uint256[](list.length); rule = Rule(r); }
    function seed(uint256[] calldata given) external payable {
        for (uint256 i = 0; i < given.length; i++) { if (coins[i] != address(0) && given[i] > 0) Move.pull(coins[i], msg.sender, given[i]); balances[i] += given[i]; }
        totalSupply += given[0]; balanceOf[msg.sender] += given[0];
        emit AddLiquidity(msg.sender, given, given, 0, totalSupply);
    }
    function _exchange(uint256 i, uint256 j, uint256 dx, uint256 least, address to) internal returns (uint256 dy) {
        if (coins[i] == address(0)) require(msg.value == dx, "value");
        else { uint256 held = Erc20(coins[i]).balanceOf(address(this)); Move.pull(coins[i], msg.sender, dx); dx = Erc20(coins[i]).balanceOf(address(this)) - held; }
        dy = rule.pays(coins[i], dx, balances[i], balances[j]);
        require(dy >= least, "slippage");
        balances[i] += dx;
        balances[j] -= dy;
        Move.send(coins[j], to, dy);
    }
}
contract CurveStableStandIn is CurveStandIn {
    constructor(address[] memory list, address r) CurveStandIn(list, r) {}
    function exchange(int128 i, int128 j, uint256 dx, uint256 least, address to) external payable returns (uint256) { return _exchange(uint128(i), uint128(j), dx, least, to); }
}
contract CurveNewCryptoStandIn is CurveStandIn {
    uint256 public gamma = 1;
    constructor(address[] memory list, address r) CurveStandIn(list, r) {}
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 least, address to) external payable returns (uint256) { return _exchange(i, j, dx, least, to); }
}
contract CurveOldCryptoStandIn is CurveStandIn {
    uint256 public gamma = 1;
    constructor(address[] memory list, address r) CurveStandIn(list, r) {}
    function exchange(uint256 i, uint256 j, uint256 dx, uint256 least, bool, address to) external payable returns (uint256) { return _exchange(i, j, dx, least, to); }
}

// ---- Balancer -----------------------------------------------------------------------------------------------------

contract Balancer2StandIn {
    struct Single { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }
    struct Funds { address sender; bool fromInternal; address recipient; bool toInternal; }
    mapping(bytes32 => mapping(address => uint256)) private cash;
    mapping(bytes32 => mapping(address => uint256)) private managed;
    mapping(bytes32 => Rule) private rules;

    function seed(bytes32 id, address a, address b, uint256 x, uint256 y, address rule) external {
        Move.pull(a, msg.sender, x); Move.pull(b, msg.sender, y);
        (cash[id][a], cash[id][b], rules[id]) = (x, y, Rule(rule));
    }
    /// A manager of a pool's assets states what it holds.
    function state(bytes32 id, address asset, uint256 amount) external { managed[id][asset] = amount; }
    function getPoolTokenInfo(bytes32 id, address asset) external view returns (uint256, uint256, uint256, address) {
        require(address(rules[id]) != address(0), "INVALID_POOL_ID");
        return (cash[id][asset], managed[id][asset], block.number, address(0));
    }
    function swap(Single calldata s, Funds calldata f, uint256 limit, uint256 deadline) external payable returns (uint256 out) {
        require(f.sender == msg.sender && s.kind == 0 && block.timestamp <= deadline, "USER_DOESNT_ALLOW_RELAYER");
        out = rules[s.poolId].pays(s.assetIn, s.amount, cash[s.poolId][s.assetIn], cash[s.poolId][s.assetOut]);
        require(out >= limit, "SWAP_LIMIT");
        Move.pull(s.assetIn, f.sender, s.amount);
        cash[s.poolId][s.assetIn] += s.amount;
        cash[s.poolId][s.assetOut] -= out;
        Move.send(s.assetOut, f.recipient, out);
    }
}

contract Balancer3StandIn {
    struct Swap { uint8 kind; address pool; address tokenIn; address tokenOut; uint256 amount; uint256 limit; bytes userData; }
    struct Info { uint8 kind; address rates; bool fees; }
    mapping(address => address[3]) private tokens;
    mapping(address => mapping(address => uint256)) private raw;
    mapping(address => Rule) private rules;
    mapping(address => uint256) private reserves;
    mapping(address => int256) private owed;
    bool private open;
    address[] private touched;

    function seed(address pool, address a, address b, uint256 x, uint256 y, address rule) external {
        Move.pull(a, msg.sender, x); Move.pull(b, msg.sender, y);
        // The vault keeps tokens in order: the third comes between.
        tokens[pool] = [a, address(uint160(a) + 1), b];
        (raw[pool][a], raw[pool][b], rules[pool]) = (x, y, Rule(rule));
        reserves[a] += x; reserves[b] += y;
    }
    function getPoolTokenInfo(address pool) external view returns (address[] memory t, Info[] memory info, uint256[] memory held, uint256[] memory live) {
        (t, info, held, live) = (new address[](3), new Info[](3), new uint256[](3), new uint256[](3));
        for (uint256 i = 0; i < 3; i++) (t[i], held[i], live[i]) = (tokens[pool][i], raw[pool][tokens[pool][i]], 1);
    }
    function unlock(bytes calldata data) external returns (bytes memory answer) {
        open = true;
        bool ok;
        (ok, answer) = msg.sender.call(data);
        if (!ok) assembly { revert(add(answer, 32), mload(answer)) }
        for (uint256 i = 0; i < touched.length; i++) require(owed[touched[i]] == 0, "BalanceNotSettled");
        delete touched;
        open = false;
    }
    function swap(Swap calldata s) external returns (uint256, uint256, uint256 out) {
        require(open && s.kind == 0, "VaultIsNotUnlocked");
        out = rules[s.pool].pays(s.tokenIn, s.amount, raw[s.pool][s.tokenIn], raw[s.pool][s.tokenOut]);
        require(out >= s.limit, "SwapLimit");
        raw[s.pool][s.tokenIn] += s.amount; raw[s.pool][s.tokenOut] -= out;
        owed[s.tokenIn] += int256(s.amount); owed[s.tokenOut] -= int256(out);
        touched.push(s.tokenIn); touched.push(s.tokenOut);
        return (out, s.amount, out);
    }
    function settle(address token, uint256 hint) external returns (uint256 credit) {
        uint256 held = Erc20(token).balanceOf(address(this));
        credit = held - reserves[token];
        if (credit > hint) credit = hint;
        reserves[token] = held;
        owed[token] -= int256(credit);
    }
    function sendTo(address token, address to, uint256 amount) external {
        require(open, "VaultIsNotUnlocked");
        owed[token] += int256(amount);
        reserves[token] -= amount;
        Move.send(token, to, amount);
    }
}

// ---- PancakeSwap Infinity -----------------------------------------------------------------------------------------

contract InfinityVaultStandIn {
    address private locker;
    address private synced;
    uint256 private before;
    mapping(address => int256) private delta;
    address[] private touched;

    function lock(bytes calldata data) external returns (bytes memory answer) {
        locker = msg.sender;
        answer = Locker(msg.sender).lockAcquired(data);
        for (uint256 i = 0; i < touched.length; i++) require(delta[touched[i]] == 0, "CurrencyNotSettled");
        delete touched;
        locker = address(0);
    }
    /// As the manager has it: negative is owed by who holds the lock.
    function account(address a, address b, int128 x, int128 y) external { delta[a] += x; delta[b] += y; touched.push(a); touched.push(b); }
    function sync(address currency) external { (synced, before) = (currency, currency == address(0) ? 0 : Erc20(currency).balanceOf(address(this))); }
    function settle() external payable returns (uint256 paid) {
        require(locker == msg.sender, "NoLocker");
        address currency = msg.value > 0 ? address(0) : synced;
        paid = msg.value > 0 ? msg.value : Erc20(currency).balanceOf(address(this)) - before;
        delta[currency] += int256(paid);
    }
    function take(address currency, address to, uint256 amount) external {
        require(locker == msg.sender, "NoLocker");
        delta[currency] -= int256(amount);
        Move.send(currency, to, amount);
    }
    receive() external payable {}
}
interface Locker { function lockAcquired(bytes calldata data) external returns (bytes memory); }

struct InfinityKey { address currency0; address currency1; address hooks; address manager; uint24 fee; bytes32 parameters; }

/// Keeps pools where infinity-core's managers keep them: slot 4 for ranges, 5 for bins.
abstract contract InfinityStandIn {
    InfinityVaultStandIn public immutable vault;
    mapping(bytes32 => InfinityKey) private keys;
    mapping(bytes32 => uint256[2]) internal held;
    mapping(bytes32 => Rule) private rules;

    constructor(address payable v) { vault = InfinityVaultStandIn(v); }
    function extsload(bytes32[] calldata slots) external view returns (bytes32[] memory words) {
        words = new bytes32[](slots.length);
        for (uint256 i = 0; i < slots.length; i++) { bytes32 slot = slots[i]; bytes32 word; assembly { word := sload(slot) } words[i] = word; }
    }
    function poolIdToPoolKey(bytes32 id) external view returns (address, address, address, address, uint24, bytes32) {
        InfinityKey memory k = keys[id];
        return (k.currency0, k.currency1, k.hooks, k.manager, k.fee, k.parameters);
    }
    function seed(InfinityKey memory key, uint256 x, uint256 y, address rule) external payable returns (bytes32 id) {
        id = keccak256(abi.encode(key));
        keys[id] = key;
        (held[id], rules[id]) = ([x, y], Rule(rule));
        if (key.currency0 == address(0)) Move.send(address(0), address(vault), x);
        else require(Erc20(key.currency0).transferFrom(msg.sender, address(vault), x));
        require(Erc20(key.currency1).transferFrom(msg.sender, address(vault), y));
        _write(id, key);
    }
    function _write(bytes32 id, InfinityKey memory key) internal virtual;
    function _trade(InfinityKey memory key, bool zeroForOne, int256 amount) internal returns (int256) {
        require(amount < 0 && address(this) == key.manager, "exact input only");
        bytes32 id = keccak256(abi.encode(key));
        (uint256 i, uint256 j) = zeroForOne ? (0, 1) : (1, 0);
        uint256 paid = uint256(-amount);
        uint256 out = rules[id].pays(zeroForOne ? key.currency0 : key.currency1, paid, held[id][i], held[id][j]);
        held[id][i] += paid; held[id][j] -= out;
        _write(id, key);
        (int128 x, int128 y) = zeroForOne ? (-int128(int256(paid)), int128(int256(out))) : (int128(int256(out)), -int128(int256(paid)));
        vault.account(key.currency0, key.currency1, x, y);
        return (int256(x) << 128) | int256(uint256(uint128(y)));
    }
    function _at(uint256 key, bytes32 mapping_) internal pure returns (bytes32) { return keccak256(abi.encode(key, mapping_)); }
    function _set(bytes32 slot, uint256 word) internal { assembly { sstore(slot, word) } }
}

/// All liquidity lies over the whole range.
contract InfinityRangesStandIn is InfinityStandIn {
    struct Order { bool zeroForOne; int256 amountSpecified; uint160 limit; }
    constructor(address payable v) InfinityStandIn(v) {}
    function swap(InfinityKey memory key, Order calldata order, bytes calldata) external returns (int256) { return _trade(key, order.zeroForOne, order.amountSpecified); }
    function _write(bytes32 id, InfinityKey memory key) internal override {
        bytes32 state = keccak256(abi.encode(id, 4));
        int24 spacing = int24(uint24(uint256(key.parameters) >> 16));
        uint256 root = _root(held[id][1] * 2 ** 96 / held[id][0]) * 2 ** 48;
        uint128 liquidity = uint128(_root(held[id][0] * held[id][1]));
        _set(state, root);
        _set(bytes32(uint256(state) + 3), liquidity);
        int24 edge = (887_272 / spacing) * spacing;
        for (int24 sign = -1; sign <= 1; sign += 2) {
            int24 tick = edge * sign;
            int24 place = tick / spacing;
            int128 net = -int128(sign) * int128(liquidity);
            _set(_at(uint256(int256(tick)), bytes32(uint256(state) + 4)), uint256(uint128(net)) << 128 | liquidity);
            _set(_at(uint256(int256(place >> 8)), bytes32(uint256(state) + 5)), 1 << uint8(uint24(place)));
        }
    }
    function _root(uint256 x) private pure returns (uint256 y) {
        y = x;
        for (uint256 z = (x + 1) / 2; z < y; z = (x / z + z) / 2) y = z;
    }
}

/// All liquidity lies in the bin where both cost the same and the one after it.
contract InfinityBinsStandIn is InfinityStandIn {
    uint256 private offset = 1;
    constructor(address payable v) InfinityStandIn(v) {}
    function swap(InfinityKey memory key, bool swapForY, int128 amount, bytes calldata) external returns (int256) { return _trade(key, swapForY, amount); }
    function _write(bytes32 id, InfinityKey memory) internal override {
        bytes32 state = keccak256(abi.encode(id, 5));
        _set(state, 2 ** 23);
        bytes32 reserves = bytes32(uint256(state) + 1);
        _set(_at(2 ** 23, reserves), held[id][1] << 128 | held[id][0] / 2);
        _set(_at(2 ** 23 + 1, reserves), held[id][0] - held[id][0] / 2);
    }
}
