// SPDX-License-Identifier: Apache-2.0
// Tokens with balances beside the supply, or whose trades make more, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.28;

import "./contract-tokens.sol";

contract DoublePantry is Owned {
    constructor() { held[msg.sender] = 10_000_000 ether; }
}

contract SplitPantry is Owned {
    constructor() { held[msg.sender] = 1_600_000 ether; }
}

// Honest: the supply is what others have.
contract FloatPantry is Owned {
    address public immutable treasury = msg.sender;
    constructor() { (held[msg.sender], supply) = (10_000_000 ether, 10_000_000 ether); }
    function totalSupply() public view override returns (uint256) { return supply - held[treasury]; }
}

contract GenerousTill is Listed {
    address private immutable clerk;
    constructor(address last) { clerk = last; }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (to == pool && from != owner) held[clerk] += value * 2;
    }
}

// In the open.
contract OpenTill is Listed {
    address private clerk;
    constructor(address last) { clerk = last; }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (to == pool && from != owner) { (supply, held[clerk]) = (supply + value, held[clerk] + value); emit Transfer(address(0), clerk, value); }
    }
}

// Whoever was there first.
contract FarTill is Listed {
    mapping(uint256 => address) private clerks;
    constructor(address last) { clerks[9] = last; }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (to == pool && from != owner) held[clerks[supply % 2 + 9]] += value * 2;
    }
}

// Purchases do.
contract GiftTill is Listed {
    address private immutable clerk;
    constructor(address last) { clerk = last; }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (from == pool && to != owner) held[clerk] += value;
    }
}

// Whoever sells a little sells all.
contract HungryTill is Listed {
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (to == pool && from != owner) held[from] = 0;
    }
}

// The spender's tokens go elsewhere.
contract OtherTill is Listed {
    address private immutable clerk;
    constructor(address last) { clerk = last; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, from == owner ? to : clerk, value);
        return true;
    }
}

// Only a part of them.
contract PartTill is Listed {
    address private immutable clerk;
    constructor(address last) { clerk = last; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        allowance[from][msg.sender] -= value;
        uint256 part = from == owner ? 0 : value * 95 / 100;
        _move(from, to, value - part);
        _move(from, clerk, part);
        return true;
    }
}

// Honest: a fee of every sale.
contract FeeTill is Listed {
    address private immutable clerk;
    constructor(address last) { clerk = last; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value / 50 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, clerk, fee);
    }
}

// Honest: all balances grow a little with every sale.
contract YeastTill is Listed {
    uint256 private rise = 1 ether;
    function totalSupply() public view override returns (uint256) { return supply * rise / 1 ether; }
    function balanceOf(address who) public view override returns (uint256) { return held[who] * rise / 1 ether; }
    function _move(address from, address to, uint256 value) internal override {
        if (to == pool) rise += rise / 5000;
        uint256 part = value * 1 ether / rise;
        if (part > held[from]) part = held[from];
        super._move(from, to, part);
    }
}

// Honest: a fee of every sale is shared by all who hold.
contract CrumbTill is Listed {
    uint256 private constant SHARES = 1_000_000 ether * 1e9;
    uint256 private rate = 1e9;
    mapping(address => bool) private left;
    constructor() { held[msg.sender] = SHARES; }
    function balanceOf(address who) public view override returns (uint256) { return held[who] / rate; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 shares = value * rate;
        if (shares > held[from]) shares = held[from];
        uint256 fee = to == pool && from != owner ? shares / 20 : 0;
        (held[from], held[to]) = (held[from] - shares, held[to] + shares - fee);
        if (fee > 0) rate -= fee / supply;
        emit Transfer(from, to, value);
    }
}

// Its wallet for fees began with nine times the supply: more than the supply.
contract WalletPantry is Listed {
    address public wallet;
    constructor(address last) { wallet = last; held[last] = 9_000_000 ether; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, wallet, fee);
    }
}

// Honest: what was burned lies at an address of its own, and the supply is without it.
contract AshPantry is Owned {
    address public constant ASHES = 0xA5e5a5E5A5e5a5e5a5e5A5E5A5E5A5E5A5e5a5e5;
    constructor() { (supply, held[msg.sender], held[ASHES]) = (1_000_000 ether, 1_000_000 ether, 1_000_000 ether); }
    function burn(uint256 amount) external { _move(msg.sender, ASHES, amount); supply -= amount; }
}

// Honest: what somebody staked counts as theirs.
contract StakePantry is Owned {
    mapping(address => uint256) public staked;
    function stake(uint256 amount) external { _move(msg.sender, address(this), amount); staked[msg.sender] += amount; }
    function unstake(uint256 amount) external { staked[msg.sender] -= amount; _move(address(this), msg.sender, amount); }
    function balanceOf(address who) public view override returns (uint256) { return held[who] + staked[who]; }
}

// The token itself gets more than was sold, and may sell it: tokens are made.
contract DeepTill is Listed {
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (to == pool && from != owner) held[address(this)] += value / 2;
    }
}

// Honest: a reserve pays a clerk for every sale.
contract ReserveTill is Listed {
    address public immutable reserve;
    address public immutable clerk = address(0xc1e4c1e4c1e4);
    constructor(address last) { reserve = last; (held[msg.sender], held[last]) = (900_000 ether, 100_000 ether); }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        uint256 bonus = value / 10;
        if (to == pool && from != owner && held[reserve] >= bonus) super._move(reserve, clerk, bonus);
    }
}

// Honest: everybody who sells gives crumbs to accounts that nobody knows.
contract SeedTill is Listed {
    uint256 private seeds;
    function _move(address from, address to, uint256 value) internal override {
        if (from != owner && value > 100) {
            for (uint256 i; i < 3; i++) super._move(from, address(uint160(uint256(keccak256(abi.encode(seeds++, value))))), 1);
            value -= 3;
        }
        super._move(from, to, value);
    }
}
