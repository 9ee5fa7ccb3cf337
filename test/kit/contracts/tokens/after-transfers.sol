// SPDX-License-Identifier: Apache-2.0
// Tokens that tell who was sent tokens from who bought them, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.20;

import "./contract-tokens.sol";

// Whoever was sent tokens is marked, and marked accounts sell nothing.
contract GiftWrap is Listed {
    mapping(address => bool) private wrapped;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || !wrapped[from], "no returns");
        if (from != pool && to != pool && from != owner) wrapped[to] = true;
        super._move(from, to, value);
    }
}

// Only what came out of the pool goes back into it.
contract TillReceipt is Listed {
    mapping(address => uint256) private bought;
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool) bought[to] += value;
        if (to == pool && from != owner) bought[from] -= value;
        super._move(from, to, value);
    }
}

// Tokens that were sent are sold for next to nothing.
contract SecondHand is Listed {
    mapping(address => bool) private used;
    function _move(address from, address to, uint256 value) internal override {
        if (from != pool && to != pool && from != owner) used[to] = true;
        uint256 kept = to == pool && used[from] ? value * 97 / 100 : 0;
        if (kept > 0) super._move(from, owner, kept);
        super._move(from, to, value - kept);
    }
}

// Whoever sent tokens to anybody sells nothing any more.
contract OneWay is Listed {
    mapping(address => bool) private generous;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || !generous[from], "one way");
        if (from != pool && to != pool && from != owner) generous[from] = true;
        super._move(from, to, value);
    }
}

// Honest: what was sent rests for ten minutes.
contract CoolingRack is Listed {
    mapping(address => uint256) private since;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || block.timestamp >= since[from] + 600, "still warm");
        if (from != pool && to != pool) since[to] = block.timestamp;
        super._move(from, to, value);
    }
}

// Honest: counts what is sent, and refuses nobody.
contract PostOffice is Listed {
    mapping(address => uint256) public letters;
    function _move(address from, address to, uint256 value) internal override {
        if (from != pool && to != pool) letters[to] += 1;
        super._move(from, to, value);
    }
}

// Honest: sends nothing from wallet to wallet for as long as it is new. Buyers sell.
contract NewShoes is Listed {
    uint256 public sold;
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || from == pool || to == pool, "try them on first");
        sold += value;
        super._move(from, to, value);
    }
}
