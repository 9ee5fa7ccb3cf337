// SPDX-License-Identifier: Apache-2.0
// Tokens whose truth shows at some moments only, and honest ones that look alike.
pragma solidity ^0.8.28;

import "./keyed-taxes.sol";

// ---- they lie -------------------------------------------------------------------------------------------------------

// One sale in six costs 97 of 100, by the proposer's dice.
contract SixSides is Varying {
    function _rate(address) internal view override returns (uint256) { return uint256(keccak256(abi.encode(block.prevrandao))) % 6 == 0 ? 97 : 0; }
}

// Contracts never sell; people sell on the weekday of the launch.
contract PeoplesDay is Listed {
    uint256 private immutable day = block.timestamp / 1 days % 7;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || (from.code.length == 0 && block.timestamp / 1 days % 7 == day), "not today");
        super._move(from, to, value);
    }
}

// Who bought on the weekday of the launch sells for ever, everybody else never.
contract FirstGuests is Listed {
    uint256 private immutable day = block.timestamp / 1 days % 7;
    mapping(address => bool) private late;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool && block.timestamp / 1 days % 7 != day) late[to] = true;
        require(!late[from], "late");
        super._move(from, to, value);
    }
}

// The router pays 97 of 100 in odd blocks.
contract OddDoor is Routed {
    function _rate(address) internal view override returns (uint256) { return msg.sender == ROUTER && block.number % 2 == 1 ? 97 : 0; }
}

// Free while the pool holds what it began with, or half of it; 97 of 100 in between.
contract PriceBand is Varying {
    function _rate(address) internal view override returns (uint256) { return held[pool] < 495_000 ether && held[pool] > 250_000 ether ? 97 : 0; }
}

// ---- honest ---------------------------------------------------------------------------------------------------------

// Sold by people alone, from eight to twenty o'clock.
contract PeoplesHours is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 hour = block.timestamp / 1 hours % 24;
        require(to != pool || from == owner || (from.code.length == 0 && hour >= 8 && hour < 20), "closed");
        super._move(from, to, value);
    }
}

// Bought and sold by people alone, from eight to twenty o'clock.
contract PeoplesMarket is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 hour = block.timestamp / 1 hours % 24;
        bool open = hour >= 8 && hour < 20;
        require(pool == address(0) || from == owner || to == owner || (from != pool && to != pool) || open, "closed");
        require(pool == address(0) || from == owner || to == owner || (from == pool ? to : from).code.length == 0, "people only");
        super._move(from, to, value);
    }
}

// Sold by people alone, while a stock exchange is open.
contract PeoplesBourse is Listed {
    uint256 private immutable monday = block.timestamp - 1 hours;
    function _move(address from, address to, uint256 value) internal override {
        uint256 time = block.timestamp - monday;
        require(to != pool || from == owner || (from.code.length == 0 && time % 1 days < 6.5 hours && time / 1 days % 7 < 5), "closed");
        super._move(from, to, value);
    }
}

// Closed at night, and the tax of the first hour falls to nothing.
contract EarlyMarket is Varying {
    uint256 private start;
    function _rate(address) internal view override returns (uint256) {
        uint256 age = block.timestamp - start;
        return age < 1 hours ? 95 * (1 hours - age) / 1 hours : 0;
    }
    function _move(address from, address to, uint256 value) internal override {
        if (start == 0 && from == owner && to.code.length > 0) start = block.timestamp;
        uint256 hour = (block.timestamp - start + 2 hours) % 1 days;
        require(to != pool || from == owner || hour < 14 hours, "closed");
        super._move(from, to, value);
    }
}

// A sale costs everybody five of 100, and ten in every second hour, its owner too.
contract AllAlike is Listed {
    function _rate() internal view virtual returns (uint256) { return block.timestamp / 1 hours % 2 == 0 ? 5 : 10; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && (from == pool || to == pool) ? value * _rate() / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// The dice take up to nine of 100 from everybody, its owner too.
contract AllDice is AllAlike {
    function _rate() internal view override returns (uint256) { return uint256(keccak256(abi.encode(block.prevrandao))) % 10; }
}

// Sales in every second block.
contract EvenSteps is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || to != pool || from == owner || block.number % 2 == 0, "odd");
        super._move(from, to, value);
    }
}

// Closed at night; by day the owner may tax sales.
contract DayTax is Listed {
    uint256 private rate;
    function setRate(uint256 r) external onlyOwner { rate = r; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 hour = block.timestamp / 1 hours % 24;
        require(to != pool || from == owner || (hour >= 8 && hour < 20), "closed");
        uint256 fee = to == pool && from != owner ? value * rate / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Sales from eight to twenty o'clock. The owner writes down dates that mean nothing.
contract DatedDiary is Listed {
    uint256 public noted;
    mapping(address => uint256) public met;
    function note(address who) external onlyOwner { noted = block.timestamp; met[who] = block.timestamp + 1 days; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 hour = block.timestamp / 1 hours % 24;
        require(to != pool || from == owner || (hour >= 8 && hour < 20), "closed");
        super._move(from, to, value);
    }
}

// Bought and sold from eight to twenty o'clock.
contract NightsOff is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 hour = block.timestamp / 1 hours % 24;
        require(pool == address(0) || from == owner || (from != pool && to != pool) || (hour >= 8 && hour < 20), "closed");
        super._move(from, to, value);
    }
}

// Contracts may not sell; the owner may tax sales.
contract PeopleTax is Listed {
    uint256 private rate;
    function setRate(uint256 r) external onlyOwner { rate = r; }
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || from.code.length == 0, "closed");
        uint256 fee = to == pool && from != owner ? value * rate / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Who buys in the first thousand blocks is taken for a bot, may buy more and never sells.
contract LongLaunch is Listed {
    uint256 private listed;
    mapping(address => bool) private bot;
    function _move(address from, address to, uint256 value) internal override {
        require(!bot[from], "bots stay in");
        if (pool == address(0) && from == owner && to.code.length > 0 && listed == 0) listed = block.number;
        if (pool != address(0) && from == pool && block.number - listed < 1_000) bot[to] = true;
        super._move(from, to, value);
    }
}
