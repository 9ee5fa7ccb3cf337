// SPDX-License-Identifier: Apache-2.0
// Tokens whose taxes and refusals are keyed to how a simulation trades: through whom, and in which amounts; and honest ones that look alike.
pragma solidity ^0.8.28;

import "./timed-taxes.sol";

// Knows the router of Uniswap V2.
abstract contract Routed is Varying {
    address internal constant ROUTER = 0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D;
}

// ---- they lie -------------------------------------------------------------------------------------------------------

// Sales through the router, where people sell, cost 97 of 100; through any other contract they are free.
contract FrontDoor is Routed {
    function _rate(address) internal view override returns (uint256) { return msg.sender == ROUTER ? 97 : 0; }
}

// Free at those ages of a purchase at which sales were once known to be tried, 97 of 100 in between.
contract MilkRound is Varying {
    mapping(address => uint256) private since;
    function _near(address who, uint256 age) private view returns (bool) { return block.timestamp + 20 > since[who] + age && block.timestamp < since[who] + age + 20; }
    function _rate(address seller) internal view override returns (uint256) {
        return _near(seller, 0) || _near(seller, 300) || _near(seller, 1 hours) || _near(seller, 25 hours) || _near(seller, 31 days) || _near(seller, 730 days) ? 0 : 97;
    }
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) since[to] = block.timestamp;
        super._move(from, to, value);
    }
}

// The same in blocks, refused.
contract CountingHouse is Listed {
    mapping(address => uint256) private since;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) since[to] = block.number;
        uint256 age = block.number - since[from];
        require(pool == address(0) || to != pool || from == owner || age < 2 || age == 24 || age == 49 || age == 79 || age == 119 || age > 128, "not now");
        super._move(from, to, value);
    }
}

// Everybody may sell but the router, through which people do.
contract SideDoor is Routed {
    function _rate(address) internal view override returns (uint256) { require(msg.sender != ROUTER, "side door"); return 0; }
}

// The same, and each wallet buys once: so the simulation's last purchase through the router is refused too.
contract GuestDoor is Routed {
    mapping(address => bool) private met;
    function _rate(address) internal view override returns (uint256) { require(msg.sender != ROUTER, "side door"); return 0; }
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) { require(!met[to] || to.code.length > 0, "met"); met[to] = true; }
        super._move(from, to, value);
    }
}

// The same, and nobody buys in the fourth week and later.
contract SeasonDoor is Routed {
    uint256 private immutable end = block.timestamp + 28 days;
    function _rate(address) internal view override returns (uint256) { require(msg.sender != ROUTER, "side door"); return 0; }
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || from != pool || block.timestamp < end, "closed");
        super._move(from, to, value);
    }
}

// The same for any contract with the router's code.
contract TwinDoors is Routed {
    bytes32 private immutable door = ROUTER.codehash;
    function _rate(address) internal view override returns (uint256) { require(msg.sender.codehash != door, "side door"); return 0; }
}

// Nobody sells but the router, and it pays 97 of 100.
contract ToolHouse is Routed {
    function _rate(address) internal view override returns (uint256) { require(msg.sender == ROUTER, "front door"); return 97; }
}

// Nobody sells but the router, and that within ten minutes of buying.
contract ShortVisit is Routed {
    mapping(address => uint256) private since;
    function _rate(address seller) internal view override returns (uint256) {
        require(msg.sender == ROUTER && block.timestamp < since[seller] + 10 minutes, "front door");
        return 0;
    }
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) since[to] = block.timestamp;
        super._move(from, to, value);
    }
}

// People pay 97 of 100 at the router; contracts pay nothing anywhere, and people nothing elsewhere.
contract DoorMan is Routed {
    function _rate(address seller) internal view override returns (uint256) { return msg.sender == ROUTER && seller.code.length == 0 ? 97 : 0; }
}

// The router pays 97 of 100 but on the weekday of the launch; every other contract sells for nothing.
contract WeekdayDoor is Routed {
    uint256 private immutable day = block.timestamp / 1 days % 7;
    function _rate(address) internal view override returns (uint256) { return msg.sender == ROUTER && block.timestamp / 1 days % 7 != day ? 97 : 0; }
}

// Nobody sells but the router, and it pays 97 of 100 but on the weekday of the launch.
contract WeekdayTools is Routed {
    uint256 private immutable day = block.timestamp / 1 days % 7;
    function _rate(address) internal view override returns (uint256) {
        require(msg.sender == ROUTER, "front door");
        return block.timestamp / 1 days % 7 != day ? 97 : 0;
    }
}

// Nobody sells but the router, and it pays 97 of 100 in four hours of five.
contract HourlyTools is Routed {
    uint256 private immutable hour = block.timestamp / 1 hours % 5;
    function _rate(address) internal view override returns (uint256) {
        require(msg.sender == ROUTER, "front door");
        return block.timestamp / 1 hours % 5 != hour ? 97 : 0;
    }
}

// The router sells on the weekday of the launch; every other contract always.
contract WeekdayLatch is Routed {
    uint256 private immutable day = block.timestamp / 1 days % 7;
    function _rate(address) internal view override returns (uint256) {
        require(msg.sender != ROUTER || block.timestamp / 1 days % 7 == day, "not today");
        return 0;
    }
}

// Nobody sells but the router, and it on the weekday of the launch.
contract WeekdayKeys is Routed {
    uint256 private immutable day = block.timestamp / 1 days % 7;
    function _rate(address) internal view override returns (uint256) {
        require(msg.sender == ROUTER && block.timestamp / 1 days % 7 == day, "not today");
        return 0;
    }
}

// Sales are free until somebody has bought a fifth of the pool.
contract HighTide is Varying {
    function _rate(address) internal view override returns (uint256) { return held[pool] < 400_000 ether ? 97 : 0; }
}

// Nobody buys more than a hundredth of the pool, and nobody sells once its coins are half as many again.
interface Purse { function balanceOf(address who) external view returns (uint256); }
contract SpringTide is Listed {
    Purse private constant COINS = Purse(0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2);
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) require(value <= 5_000 ether, "too much");
        if (pool != address(0) && to == pool && from != owner) require(COINS.balanceOf(pool) < 30 ether, "high water");
        super._move(from, to, value);
    }
}

// ---- honest ---------------------------------------------------------------------------------------------------------

// Only sales through the router are free: bots go round it.
contract KeyHolders is Routed {
    function _rate(address) internal view override returns (uint256) { return msg.sender == ROUTER ? 0 : 97; }
}

// Sold by the piece: whole tokens only.
contract WholeLoaves is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || to != pool || from == owner || value % 1 ether == 0, "whole loaves only");
        super._move(from, to, value);
    }
}

// Nobody sells but the router: bots stay out.
contract DoorKeepers is Routed {
    function _rate(address) internal view override returns (uint256) { require(msg.sender == ROUTER, "front door"); return 0; }
}

// The same, from eight to twenty o'clock.
contract DayKeepers is Routed {
    function _rate(address) internal view override returns (uint256) {
        uint256 hour = block.timestamp / 1 hours % 24;
        require(msg.sender == ROUTER && hour >= 8 && hour < 20, "closed");
        return 0;
    }
}

// Nobody sells but the router, and it costs eleven of 100 at weekends.
contract WeekendKeepers is Routed {
    function _rate(address) internal view override returns (uint256) {
        require(msg.sender == ROUTER, "front door");
        return block.timestamp / 1 days % 7 < 2 ? 11 : 0;
    }
}

// One sale an hour for each wallet, through the router or not.
contract HourlyBus is Listed {
    mapping(address => uint256) private last;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && to == pool && from != owner) {
            require(block.timestamp >= last[from] + 1 hours, "next bus");
            last[from] = block.timestamp;
        }
        super._move(from, to, value);
    }
}

// Sales rest for six hours after the pool has lost a quarter of its tokens.
contract CoolHead is Listed {
    uint256 private mark = 500_000 ether;
    uint256 private until;
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || to != pool || from == owner || block.timestamp >= until, "rest");
        super._move(from, to, value);
        if (pool != address(0) && from == pool && held[pool] * 4 < mark * 3) { mark = held[pool]; until = block.timestamp + 6 hours; }
    }
}

// A sale costs thirty of 100 while the price is high, five while it is not.
contract FairScale is Varying {
    function _rate(address) internal view override returns (uint256) { return held[pool] < 350_000 ether ? 30 : 5; }
}
