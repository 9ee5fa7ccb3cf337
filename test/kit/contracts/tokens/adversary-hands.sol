// SPDX-License-Identifier: Apache-2.0
// Powers that nobody is named to have: by votes, by what comes later, by what every holder may call. And honest tokens that look like them.
pragma solidity ^0.8.20;

import "./contract-tokens.sol";

// Honest: a part of each transfer, and what anybody gives away, is shared among all holders.
contract SharedHive is Owned {
    uint256 private constant ALL = 1_000_000 ether;
    uint256 private shares = type(uint256).max - type(uint256).max % ALL;
    mapping(address => uint256) private part;
    constructor() { part[msg.sender] = shares; }
    function _rate() private view returns (uint256) { return shares / ALL; }
    function balanceOf(address who) public view override returns (uint256) { return part[who] / _rate(); }
    function deliver(uint256 value) external { uint256 given = value * _rate(); part[msg.sender] -= given; shares -= given; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 rate = _rate();
        uint256 fee = value / 50;
        part[from] -= value * rate;
        part[to] += (value - fee) * rate;
        shares -= fee * rate;
        emit Transfer(from, to, value - fee);
    }
}

// Whoever holds a third of all tokens votes for a mint.
contract ParishVote is Owned {
    uint256 public voted;
    address public to;
    uint256 public amount;
    mapping(address => uint256) public at;
    function suggest(address who, uint256 value) external { to = who; amount = value; voted = 0; }
    function vote() external { require(at[msg.sender] < block.number); at[msg.sender] = block.number; voted += held[msg.sender]; }
    function enact() external { require(voted > supply / 3); uint256 value = amount; amount = 0; held[to] += value; supply += value; }
}

// The same, where nobody has so many.
contract WideParish is Owned {
    uint256 public voted;
    address public to;
    uint256 public amount;
    mapping(address => uint256) public at;
    function suggest(address who, uint256 value) external { to = who; amount = value; voted = 0; }
    function vote() external { require(at[msg.sender] < block.number); at[msg.sender] = block.number; voted += held[msg.sender]; }
    function enact() external { require(voted > supply * 9 / 10); uint256 value = amount; amount = 0; held[to] += value; supply += value; }
}

// Honest: holders vote on what the purse pays, and on nothing else.
contract ParishPurse is Owned {
    uint256 public voted;
    address public to;
    uint256 public amount;
    mapping(address => uint256) public at;
    constructor() { held[address(this)] = held[msg.sender] / 5; held[msg.sender] -= held[address(this)]; }
    function suggest(address who, uint256 value) external { to = who; amount = value; voted = 0; }
    function vote() external { require(at[msg.sender] < block.number); at[msg.sender] = block.number; voted += held[msg.sender]; }
    function enact() external { require(voted > supply / 5); voted = 0; _move(address(this), to, amount < held[address(this)] ? amount : held[address(this)]); }
}

// From a week after its birth on its owner mints.
contract LateHarvest is Owned {
    uint256 private immutable ripe = block.timestamp + 7 days;
    function reap(address who, uint256 amount) external onlyOwner { require(block.timestamp >= ripe, "not ripe"); held[who] += amount; supply += amount; }
}

interface Reader { function told(address from, address to, uint256 value) external; }

// Transfers tell a contract that is not there yet.
contract NewsBoard is Owned {
    Reader private immutable reader = Reader(address(uint160(uint256(keccak256("comes later")))));
    function _move(address from, address to, uint256 value) internal override { if (address(reader).code.length > 0) reader.told(from, to, value); super._move(from, to, value); }
}

// Honest: a part of what is moved is kept, and coins that come in go to a wallet with each transfer.
contract CollectionPlate is Owned {
    address payable private immutable wallet = payable(address(uint160(uint256(keccak256("wallet of the parish")))));
    receive() external payable {}
    function _move(address from, address to, uint256 value) internal override {
        if (address(this).balance > 0) { (bool ok, ) = wallet.call{value: address(this).balance}(""); require(ok); }
        super._move(from, to, value);
    }
}

// Names contracts that speak for an account, as the registry of ERC-1820 does.
contract RegisterOffice {
    bytes32 private constant ACCEPTS = keccak256(abi.encodePacked("ERC1820_ACCEPT_MAGIC"));
    mapping(address => mapping(bytes32 => address)) private speaker;
    mapping(address => address) private managers;
    function setManager(address who, address manager) external { require(getManager(who) == msg.sender); managers[who] = manager == who ? address(0) : manager; }
    function getManager(address who) public view returns (address) { return managers[who] == address(0) ? who : managers[who]; }
    function setInterfaceImplementer(address account, bytes32 kind, address contract_) external {
        address who = account == address(0) ? msg.sender : account;
        require(getManager(who) == msg.sender, "Not the manager");
        if (contract_ != address(0) && contract_ != msg.sender)
            require(RegisterOffice(contract_).canImplementInterfaceForToken(kind, who) == ACCEPTS, "Does not implement the interface");
        speaker[who][kind] = contract_;
    }
    function canImplementInterfaceForToken(bytes32, address) external pure returns (bytes32) { return 0; }
    function getInterfaceImplementer(address account, bytes32 kind) external view returns (address) { return speaker[account == address(0) ? msg.sender : account][kind]; }
}

// Every transfer asks whoever speaks for its maker.
contract TownCrier is Owned {
    RegisterOffice private immutable office;
    address private immutable maker = msg.sender;
    constructor(address o) { office = RegisterOffice(o); }
    function _move(address from, address to, uint256 value) internal override {
        address speaker = office.getInterfaceImplementer(maker, keccak256("ERC777TokensSender"));
        if (speaker != address(0)) Reader(speaker).told(from, to, value);
        super._move(from, to, value);
    }
}

// Honest: every transfer asks who speaks for its sender and its receiver, as ERC-777 does.
contract LetterBox is Owned {
    RegisterOffice private immutable office;
    constructor(address o) { office = RegisterOffice(o); }
    function _move(address from, address to, uint256 value) internal override {
        address speaker = office.getInterfaceImplementer(from, keccak256("ERC777TokensSender"));
        if (speaker != address(0)) Reader(speaker).told(from, to, value);
        super._move(from, to, value);
        speaker = office.getInterfaceImplementer(to, keccak256("ERC777TokensRecipient"));
        if (speaker != address(0)) Reader(speaker).told(from, to, value);
    }
}

// Who is approved thirteen by the owner cannot move.
contract TableCard is Owned {
    function _move(address from, address to, uint256 value) internal override { require(allowance[owner][from] != 13); super._move(from, to, value); }
}

// The same, where no number shows in the code.
contract PlaceCard is Owned {
    function _move(address from, address to, uint256 value) internal override { require(allowance[owner][from] % 1009 != 7); super._move(from, to, value); }
}

// Who gets a single unit of its maker cannot move.
contract DoorTouch is Owned {
    mapping(address => bool) private touched;
    address private immutable maker = msg.sender;
    function _move(address from, address to, uint256 value) internal override { if (from == maker && value == 1) touched[to] = true; require(!touched[from]); super._move(from, to, value); }
}

// Honest: a transfer is one by allowance, of what is one's own.
contract PassThrough is Owned {
    function transfer(address to, uint256 value) public override returns (bool) { return transferFrom(msg.sender, to, value); }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (from != msg.sender && allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Honest: who was sent tokens waits for a day, whoever sent them.
contract SlowPost is Owned {
    address public pool;
    mapping(address => uint256) private until;
    function setPool(address p) external onlyOwner { pool = p; }
    function _move(address from, address to, uint256 value) internal override {
        require(block.timestamp >= until[from] || to == pool, "tomorrow");
        if (from != pool && to != pool) until[to] = block.timestamp + 1 days;
        super._move(from, to, value);
    }
}

// Another contract names who mints.
contract MillOffice { address public head = tx.origin; function hand(address to) external { require(msg.sender == head); head = to; } }
contract QuietMill is Announced {
    MillOffice private immutable office;
    constructor(address o) { office = MillOffice(o); }
    function owner() external pure returns (address) { return address(0); }
    function grind(address to, uint256 value) external { require(msg.sender == office.head()); held[to] += value; supply += value; }
}
// The same in the open.
contract OpenMill is Announced {
    MillOffice public immutable office;
    constructor(address o) { office = MillOffice(o); }
    function owner() external pure returns (address) { return address(0); }
    function grind(address to, uint256 value) external { require(msg.sender == office.head()); held[to] += value; supply += value; }
}

// Honest: traded for eight hours a day.
contract MarketHours is Listed {
    uint256 private immutable closes = block.timestamp - 1 hours;
    function _move(address from, address to, uint256 value) internal override {
        require((from != pool && to != pool) || from == owner || (block.timestamp - closes) % 1 days >= 16 hours, "closed");
        super._move(from, to, value);
    }
}

// The same hours, in which nobody sells.
contract MarketNights is Listed {
    uint256 private immutable closes = block.timestamp - 1 hours;
    function _move(address from, address to, uint256 value) internal override {
        require(from != pool || to == owner || (block.timestamp - closes) % 1 days >= 16 hours, "closed");
        require(to != pool || from == owner, "closed");
        super._move(from, to, value);
    }
}

// Transfers ask a lamp, which its maker may take away, and put another one there where code can be removed.
contract Lamp { address private keeper = tx.origin; function on() external pure returns (bool) { return true; } function out() external { require(msg.sender == keeper); selfdestruct(payable(keeper)); } }
contract LampLight is Owned {
    Lamp private immutable lamp;
    constructor(address l) { lamp = Lamp(l); }
    function _move(address from, address to, uint256 value) internal override { require(lamp.on()); super._move(from, to, value); }
}

// Honest: a lamp that may be taken away lights the wall, and no transfer asks for it.
contract LampPost is Owned {
    Lamp private immutable lamp;
    GuestBook private immutable book = new GuestBook();
    constructor(address l) { lamp = Lamp(l); }
    function lit() external view returns (bool) { return lamp.on(); }
    function _move(address from, address to, uint256 value) internal override { book.sign(from); super._move(from, to, value); }
}
contract GuestBook { mapping(address => uint256) private visits; function sign(address who) external { visits[who]++; } }

// Transfers ask three doors, of which the last one has a key. It need not answer at all.
interface Door { function shut(address who) external view returns (bool); }
contract OpenDoor { uint256 public painted; function paint(uint256 colour) external { painted = colour; } function shut(address) external pure returns (bool) { return false; } }
contract KeyDoor {
    address private immutable keeper = tx.origin;
    mapping(address => bool) private out;
    function turn(address who, bool yes) external { require(msg.sender == keeper); out[who] = yes; }
    function shut(address who) external view returns (bool) { return out[who]; }
}
contract LongHall is Owned {
    Door private immutable a = Door(address(new OpenDoor()));
    Door private immutable b = Door(address(new OpenDoor()));
    Door private immutable c = Door(address(new KeyDoor()));
    function _asks(Door door, address who) internal view { try door.shut(who) returns (bool yes) { require(!yes); } catch {} }
    function _move(address from, address to, uint256 value) internal virtual override { _asks(a, from); _asks(b, from); _asks(c, from); super._move(from, to, value); }
}

// Honest: of three doors it has, transfers go through the first one.
contract WideHall is Owned {
    Door private immutable a = Door(address(new OpenDoor()));
    Door private immutable b = Door(address(new OpenDoor()));
    Door private immutable c = Door(address(new KeyDoor()));
    function open(address who) external view returns (bool) { return !b.shut(who) && !c.shut(who); }
    function _move(address from, address to, uint256 value) internal override { require(!a.shut(from)); super._move(from, to, value); }
}

// Renounced, and whoever is written where no variable is keeps the attic.
contract Attic is Owned {
    bytes32 private constant SHELF = keccak256("attic.shelf");
    mapping(address => bool) private stored;
    constructor() { owner = address(0); bytes32 at = SHELF; assembly { sstore(at, caller()) } }
    function pack(address who, bool yes) external { bytes32 at = SHELF; address keeper; assembly { keeper := sload(at) } require(msg.sender == keeper); stored[who] = yes; }
    function _move(address from, address to, uint256 value) internal override { require(!stored[from]); super._move(from, to, value); }
}

// Renounced, and the one who did it takes it back without a date.
contract SpareKey is Owned {
    address private last;
    constructor() { last = msg.sender; owner = address(0); }
    function ring() external { require(msg.sender == last); owner = last; }
    function bake(address to, uint256 value) external onlyOwner { held[to] += value; supply += value; }
}

// Renounced, and a list nobody can read says who bakes: somebody who was never announced.
contract QuietBakery is Owned {
    mapping(address => uint256) private level;
    constructor() { level[address(uint160(uint256(keccak256("the baker"))))] = 9; owner = address(0); }
    function promote(address who) external { require(level[msg.sender] == 9); level[who] = 9; }
    function bake(address to, uint256 value) external { require(level[msg.sender] == 9); held[to] += value; supply += value; }
}

// Honest: renounced, and the wallet of the painter, which nobody can look up, changes a picture.
contract PaintedSign is Owned {
    address private painter = msg.sender;
    string public picture;
    constructor() { owner = address(0); }
    function paint(string calldata next) external { require(msg.sender == painter); picture = next; }
}

// Given up by its owner, for all to see, while who administers the roles still makes and freezes tokens. `nobody`: who owned it never was.
contract Abdication is Roles {
    address public owner;
    event OwnershipTransferred(address indexed from, address indexed to);
    constructor(address admin, address last, bool owned) {
        if (owned) { owner = msg.sender; emit OwnershipTransferred(address(0), msg.sender); emit OwnershipTransferred(msg.sender, last); }
        owner = last;
        if (admin != msg.sender) { revoke(0, msg.sender); if (admin != address(0)) grant(0, admin); }
    }
    function revoke(bytes32 role, address who) internal { roles[role][who] = false; }
    function coin(address to, uint256 value) external virtual { require(hasRole(0, msg.sender)); supply += value; held[to] += value; }
}

// Honest: given up, and who administers the roles counts visits.
contract Retirement is Abdication {
    mapping(address => uint256) public visits;
    constructor(address admin, address last, bool owned) Abdication(admin, last, owned) {}
    function coin(address to, uint256 value) external override { require(hasRole(0, msg.sender)); visits[to] += value; }
}

// Honest: who keeps the gate may close and open it, and is on a list. There is nothing to open while it is open.
contract ParkGate is Owned {
    mapping(address => bool) private keeper;
    bool private closed;
    uint256 public posted;
    constructor() { keeper[msg.sender] = true; owner = address(0); }
    function isKeeper(address who) external view returns (bool) { return keeper[who]; }
    function admit(address who) external { require(keeper[msg.sender]); keeper[who] = true; }
    function dismiss(address who) external { require(keeper[msg.sender]); keeper[who] = false; }
    function post(string calldata) external { require(keeper[msg.sender]); posted++; }
    function close() external { require(keeper[msg.sender] && !closed); closed = true; }
    function open() external { require(keeper[msg.sender] && closed); closed = false; }
    function _move(address from, address to, uint256 value) internal override { require(!closed); super._move(from, to, value); }
}

// Of two who keep the gate one has to ring before anybody can be barred.
contract ChurchGate is Owned {
    mapping(address => bool) private keeper;
    mapping(address => bool) private barred;
    bool private rung;
    constructor() { keeper[msg.sender] = true; owner = address(0); }
    function ring() external { require(keeper[msg.sender]); rung = true; }
    function bar(address who) external { require(keeper[msg.sender] && rung); barred[who] = true; }
    function _move(address from, address to, uint256 value) internal override { require(!barred[from]); super._move(from, to, value); }
}

// Honest: the list of those who may collect tips is closed to others, and they collect tips only.
contract TipTray is Owned {
    mapping(address => bool) private waiter;
    uint256 public collected;
    constructor() { waiter[address(uint160(uint256(keccak256("the waiter"))))] = true; owner = address(0); }
    function collect(uint256 tips) external { require(waiter[msg.sender]); collected += tips; }
}

// The owner mints up to a cap, which is not reached yet.
contract HoneyCap is Owned {
    function gather(address who, uint256 value) external onlyOwner {
        require(supply + value <= 1_300_000 ether, "cap");
        supply += value;
        held[who] += value;
    }
}
