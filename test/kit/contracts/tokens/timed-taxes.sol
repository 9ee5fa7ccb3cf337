// SPDX-License-Identifier: Apache-2.0
// Tokens whose taxes and refusals depend on time, on blocks, or on who traded before, and honest ones that look alike.
pragma solidity ^0.8.28;

import "./contract-tokens.sol";

// ---- they lie -------------------------------------------------------------------------------------------------------

// Who sells later than ten minutes after buying pays nearly all.
contract HastyGarden is Listed {
    mapping(address => uint256) private since;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) since[to] = block.timestamp;
        uint256 fee = to == pool && from != owner && block.timestamp - since[from] > 10 minutes ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// A purchase costs 97 of 100, at every hour.
contract DearMarket is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && from == pool && to != owner ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// A purchase costs 97 of 100 until the harvest, weeks away, and nothing afterwards.
contract WinterMarket is Listed {
    uint256 private start = block.timestamp;
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && from == pool && to != owner && block.timestamp < start + 25 days ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Whoever has no code and sells for the first time pays 97 of 100.
contract CabinFee is Listed {
    mapping(address => bool) private known;
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && to == pool && from != owner && from.code.length == 0 && !known[from] ? value * 97 / 100 : 0;
        known[from] = true;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// People pay 97 of 100, contracts nothing.
contract GardenParty is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && to == pool && from != owner && from.code.length == 0 ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// The same of those who buy.
contract WelcomeDesk is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && from == pool && to != owner && to.code.length == 0 ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Whoever sells less than twenty minutes after anybody traded pays 97 of 100.
contract RestlessFair is Listed {
    uint256 private last;
    function _move(address from, address to, uint256 value) internal override {
        bool traded = pool != address(0) && (from == pool || to == pool);
        uint256 fee = traded && to == pool && from != owner && block.timestamp < last + 20 minutes ? value * 97 / 100 : 0;
        if (traded) last = block.timestamp;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// The same, refused.
contract StillWater is Listed {
    uint256 private last;
    function _move(address from, address to, uint256 value) internal override {
        bool traded = pool != address(0) && (from == pool || to == pool);
        require(!traded || to != pool || from == owner || block.timestamp >= last + 20 minutes, "not yet");
        if (traded) last = block.timestamp;
        super._move(from, to, value);
    }
}

// Whoever has not sold within ten minutes of buying never sells.
contract EagerQueue is Listed {
    mapping(address => uint256) private since;
    mapping(address => bool) private known;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) since[to] = block.timestamp;
        if (pool != address(0) && to == pool && from != owner) {
            require(known[from] || block.timestamp < since[from] + 10 minutes, "too late");
            known[from] = true;
        }
        super._move(from, to, value);
    }
}

// A tax falls within ten minutes, and whoever sells for the first time after that burns all there is to burn.
contract TiredPorter is Listed {
    uint256 private start = block.timestamp;
    mapping(address => bool) private known;
    function _move(address from, address to, uint256 value) internal override {
        bool sale = pool != address(0) && to == pool && from != owner;
        if (sale && !known[from] && block.timestamp > start + 45 minutes) while (true) start += 0;
        if (sale) known[from] = true;
        uint256 fee = sale && block.timestamp < start + 10 minutes ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// The tax falls within the first hour from 97 to 94 of 100, and by no more until the next day.
contract MorningFog is Listed {
    uint256 private start;
    function _move(address from, address to, uint256 value) internal override {
        if (start == 0 && from == owner && to.code.length > 0) start = block.timestamp;
        uint256 age = block.timestamp - start;
        uint256 rate = age < 1 hours ? 97 - 3 * age / 1 hours : age < 23 hours ? 94 : 0;
        uint256 fee = pool != address(0) && to == pool && from != owner ? value * rate / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Sales of more than a five thousandth of the pool cost 97 of 100.
contract SmallChange is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && to == pool && from != owner && value > held[pool] / 5_000 ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Free in the first half hour of the day it opens, 97 of 100 for everybody from then on.
contract HappyHour is Listed {
    uint256 private start;
    function _move(address from, address to, uint256 value) internal override {
        if (start == 0 && from == owner && to.code.length > 0) start = block.timestamp;
        uint256 fee = pool != address(0) && to == pool && from != owner && block.timestamp > start + 30 minutes ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// ---- taxes that come and go -----------------------------------------------------------------------------------------

// A sale costs `_rate()` of 100.
abstract contract Varying is Listed {
    function _rate(address seller) internal virtual returns (uint256);
    function _move(address from, address to, uint256 value) internal virtual override {
        uint256 fee = pool != address(0) && to == pool && from != owner ? value * _rate(from) / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Free at the hour of the day at which it was made, give or take one.
contract NightMarket is Varying {
    uint256 private start = block.timestamp - 1 hours;
    function _rate(address) internal view override returns (uint256) { return (block.timestamp - start) % 1 days < 3 hours ? 0 : 97; }
}

// Free on four days of a week.
contract WeekendFair is Varying {
    uint256 private start = block.timestamp - 3 hours;
    function _rate(address) internal view override returns (uint256) { return (block.timestamp - start) % 7 days < 4 days ? 0 : 97; }
}

// Free in every second block.
contract EvenTide is Varying {
    function _rate(address) internal view override returns (uint256) { return block.number % 2 == 0 ? 0 : 97; }
}
contract OddTide is Varying {
    function _rate(address) internal view override returns (uint256) { return block.number % 2 == 1 ? 0 : 97; }
}

// Free at those ages at which trades are known to be tried.
contract BetweenBells is Varying {
    uint256 private start = block.timestamp;
    function _near(uint256 when) private view returns (bool) { return block.timestamp + 30 minutes > start + when && block.timestamp < start + when + 30 minutes; }
    function _rate(address) internal view override returns (uint256) {
        return _near(0) || _near(1 hours) || _near(12 hours) || _near(1 days) || _near(25 hours) || _near(30 days) || _near(31 days) || _near(730 days) ? 0 : 97;
    }
}

// The same, refused.
contract BetweenTrains is Listed {
    uint256 private start = block.timestamp;
    function _near(uint256 when) private view returns (bool) { return block.timestamp + 30 minutes > start + when && block.timestamp < start + when + 30 minutes; }
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || to != pool || from == owner || _near(0) || _near(1 hours) || _near(1 days) || _near(25 hours) || _near(30 days) || _near(31 days) || _near(730 days), "no train");
        super._move(from, to, value);
    }
}

// The proposer's dice decide.
contract DiceCafe is Varying {
    function _rate(address) internal view override returns (uint256) { return uint256(keccak256(abi.encode(block.prevrandao))) % 2 == 0 ? 97 : 0; }
}

// Who pays less for gas than the simulation of the house does.
contract TipJar is Varying {
    function _rate(address) internal view override returns (uint256) { return tx.gasprice < block.basefee + 0.09 gwei ? 97 : 0; }
}

// The first guests are free, and everybody else who comes later is not.
contract ThirteenthGuest is Varying {
    uint256 private sales;
    function _rate(address) internal override returns (uint256) { return ++sales > 12 ? 97 : 0; }
}

// The same for each guest.
contract RegularGuest is Varying {
    mapping(address => uint256) private sales;
    function _rate(address seller) internal override returns (uint256) { return ++sales[seller] > 7 ? 97 : 0; }
}

// What is asked is another contract's answer, which changes with the hour.
contract HourGlass {
    uint256 private immutable start = block.timestamp - 1 hours;
    function fee() external view returns (uint256) { return (block.timestamp - start) % 1 days < 3 hours ? 0 : 97; }
}
contract GlassHouse is Varying {
    HourGlass private immutable glass;
    constructor(address there) { glass = HourGlass(there); }
    function _rate(address) internal view override returns (uint256) { return glass.fee(); }
}

// ---- honest ---------------------------------------------------------------------------------------------------------

// Snipers pay in the first hour: the tax falls to nothing.
contract EarlyBird is Listed {
    uint256 private start;
    function _move(address from, address to, uint256 value) internal override {
        if (start == 0 && from == owner && to.code.length > 0) start = block.timestamp;
        uint256 age = block.timestamp - start;
        uint256 fee = pool != address(0) && (from == pool || to == pool) && from != owner && age < 1 hours ? value * (95 * (1 hours - age) / 1 hours) / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// The tax falls from 95 of 100 to nothing over a day, for everybody alike.
contract TulipAuction is Listed {
    uint256 private start;
    function _move(address from, address to, uint256 value) internal override {
        if (start == 0 && from == owner && to.code.length > 0) start = block.timestamp;
        uint256 age = block.timestamp - start;
        uint256 fee = pool != address(0) && (from == pool || to == pool) && from != owner && age < 1 days ? value * (95 * (1 days - age) / 1 days) / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Whoever trades in the first blocks pays 99 of 100.
contract WetPaint is Listed {
    uint256 private start;
    function _move(address from, address to, uint256 value) internal override {
        if (start == 0 && from == owner && to.code.length > 0) start = block.number;
        uint256 fee = pool != address(0) && (from == pool || to == pool) && from != owner && block.number < start + 20 ? value * 99 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Who buys in the first ten minutes is taken for a bot and pays 97 of 100 ever after.
contract FishingNet is Listed {
    uint256 private start;
    mapping(address => bool) private caught;
    function _move(address from, address to, uint256 value) internal override {
        if (start == 0 && from == owner && to.code.length > 0) start = block.timestamp;
        if (pool != address(0) && from == pool && block.timestamp < start + 10 minutes) caught[to] = true;
        uint256 fee = pool != address(0) && to == pool && caught[from] ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Who holds longer pays less: 30 of 100 on the first day, 15 in the first week, 5 afterwards.
contract OakBarrel is Listed {
    mapping(address => uint256) private since;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) since[to] = block.timestamp;
        uint256 age = block.timestamp - since[from];
        uint256 rate = age < 1 days ? 30 : age < 7 days ? 15 : 5;
        uint256 fee = pool != address(0) && to == pool && from != owner ? value * rate / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// One trade a block, whoever trades.
contract SingleFile is Listed {
    uint256 private last;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && (from == pool || to == pool) && from != owner) { require(block.number > last, "one a block"); last = block.number; }
        super._move(from, to, value);
    }
}

// ---- honest, and they come and go as well ---------------------------------------------------------------------------

// Ten of 100 at the weekend, five on other days.
contract SundayBest is Varying {
    function _rate(address) internal view override returns (uint256) { return (block.timestamp / 1 days) % 7 < 2 ? 10 : 5; }
}

// A game: the dice take up to nine of 100.
contract PennyDice is Varying {
    function _rate(address) internal view override returns (uint256) { return uint256(keccak256(abi.encode(block.prevrandao))) % 10; }
}

// Trades during nine hours of each day.
contract MarketHours is Listed {
    uint256 private start = block.timestamp - 4 hours;
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || (from != pool && to != pool) || from == owner || (block.timestamp - start) % 1 days < 9 hours, "closed");
        super._move(from, to, value);
    }
}

// A quarter for the first ten sales, three of 100 ever after.
contract OpeningNight is Varying {
    uint256 private sales;
    function _rate(address) internal override returns (uint256) { return ++sales > 10 ? 3 : 25; }
}

// Each sale of the same day costs five more, up to thirty.
contract SlowSeller is Varying {
    mapping(address => uint256) private day;
    mapping(address => uint256) private sales;
    function _rate(address seller) internal override returns (uint256) {
        if (day[seller] != block.timestamp / 1 days) { day[seller] = block.timestamp / 1 days; sales[seller] = 0; }
        uint256 rate = 5 * ++sales[seller];
        return rate > 30 ? 30 : rate;
    }
}

// Who outbids everybody else for gas is a bot and is refused.
contract QuietBidder is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || (from != pool && to != pool) || tx.gasprice <= block.basefee * 3 + 20 gwei, "too eager");
        super._move(from, to, value);
    }
}

// Asks a clock that takes nothing.
contract TownClock {
    function fee() external view returns (uint256) { return 2 + (block.timestamp / 1 hours) % 2; }
}
contract ClockShop is Varying {
    TownClock private immutable glass;
    constructor(address there) { glass = TownClock(there); }
    function _rate(address) internal view override returns (uint256) { return glass.fee(); }
}
