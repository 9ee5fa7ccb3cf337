// SPDX-License-Identifier: Apache-2.0
// Tokens that obey accounts which are hard to read from their code, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.28;

import "./contract-tokens.sol";

// Two keepers are nobody, and the last one is a person. Whoever may fill the shelf makes tokens.
abstract contract Shelf is Listed {
    function _fill(address to, uint256 amount) internal { (supply, held[to]) = (supply + amount, held[to] + amount); }
}

// ---- whom they obey stands in a row -----------------------------------------------------------------------------------

contract PegRail is Shelf {
    address[3] private pegs;
    constructor(address last) { (pegs[0], pegs[2]) = (address(0xdead), last); }
    function fill(address to, uint256 amount) external {
        bool known;
        for (uint256 i; i < 3; i++) known = known || pegs[i] == msg.sender;
        require(known);
        _fill(to, amount);
    }
}

// Does nothing for others, and refuses nobody.
contract QuietRail is Shelf {
    address[5] private pegs;
    constructor(address last) { pegs[4] = last; }
    function fill(address to, uint256 amount) external { for (uint256 i; i < 5; i++) if (pegs[i] == msg.sender) _fill(to, amount); }
}

// In a function of its own.
contract LongRail is Shelf {
    address[8] private pegs;
    constructor(address last) { pegs[7] = last; }
    function _hangs(address who) private view returns (bool) {
        for (uint256 i; i < pegs.length; ++i) if (pegs[i] == who) return true;
        return false;
    }
    function fill(address to, uint256 amount) external { require(_hangs(msg.sender)); _fill(to, amount); }
}

// From the end, and without checks of arithmetic.
contract BackRail is Shelf {
    uint256 private count;
    address[8] private pegs;
    constructor(address last) { (count, pegs[2]) = (1, last); }
    function fill(address to, uint256 amount) external {
        uint256 i = 8;
        bool known;
        unchecked { while (i > 0) { --i; if (pegs[i] == msg.sender) { known = true; break; } } }
        require(known);
        _fill(to, amount);
    }
}

// Behind a number in the same word.
contract TagRail is Shelf {
    struct Tag { uint96 size; address who; }
    Tag[4] private tags;
    constructor(address last) { tags[3] = Tag(7, last); }
    function fill(address to, uint256 amount) external {
        for (uint256 i; i < 4; i++) if (tags[i].who == msg.sender && tags[i].size > 0) { _fill(to, amount); return; }
        revert();
    }
}

// In a struct, beside other things.
contract ToolRail is Shelf {
    struct Tool { uint256 price; address[3] hands; uint256 weight; }
    mapping(address => uint256) private sums;
    Tool private tool;
    constructor(address last) { tool.price = 12; tool.hands[2] = last; tool.weight = 3; }
    function fill(address to, uint256 amount) external {
        for (uint256 i; i < 3; i++) if (tool.hands[i] == msg.sender) { _fill(to, amount); return; }
        revert();
    }
}

// Far out in storage.
contract FarRail is Shelf {
    bytes32 private constant AT = keccak256("far.rail");
    constructor(address last) { bytes32 at = AT; assembly { sstore(add(at, 2), last) } }
    function fill(address to, uint256 amount) external {
        bytes32 at = AT;
        bool known;
        for (uint256 i; i < 3; i++) {
            address peg;
            assembly { peg := sload(add(at, i)) }
            if (peg == msg.sender) known = true;
        }
        require(known);
        _fill(to, amount);
    }
}

// A list that may grow.
contract GrowingRail is Shelf {
    address[] private pegs;
    constructor(address last) { pegs.push(address(1)); pegs.push(address(0xdead)); pegs.push(last); }
    function fill(address to, uint256 amount) external {
        for (uint256 i; i < pegs.length; i++) if (pegs[i] == msg.sender) { _fill(to, amount); return; }
        revert();
    }
}

// By numbers that the code names.
contract NumberRail is Shelf {
    mapping(uint256 => address) private pegs;
    constructor(address last) { pegs[3] = last; }
    function fill(address to, uint256 amount) external {
        require(pegs[1] == msg.sender || pegs[2] == msg.sender || pegs[3] == msg.sender);
        _fill(to, amount);
    }
}

// By numbers that it counts.
contract CountedRail is Shelf {
    mapping(uint256 => address) private pegs;
    constructor(address last) { pegs[4] = last; }
    function fill(address to, uint256 amount) external {
        bool known;
        for (uint256 i = 1; i < 6; i++) known = known || pegs[i] == msg.sender;
        require(known);
        _fill(to, amount);
    }
}

// By a number that the caller gives.
contract AskedRail is Shelf {
    address[6] private pegs;
    constructor(address last) { pegs[5] = last; }
    function fill(uint256 i, address to, uint256 amount) external { require(pegs[i] == msg.sender); _fill(to, amount); }
}

// Which of two it is depends on who gets them.
contract EitherRail is Shelf {
    address private left = address(0xdead);
    address private right;
    constructor(address last) { right = last; }
    function fill(address to, uint256 amount) external {
        address who = to == msg.sender ? left : right;
        require(msg.sender == who);
        _fill(to, amount);
    }
}

// Its owner was one of them.
contract LeftRail is Shelf {
    address[3] private pegs;
    constructor(address last) { pegs[2] = last; }
    function fill(address to, uint256 amount) external {
        bool known = msg.sender == owner;
        for (uint256 i; i < 3; i++) known = known || pegs[i] == msg.sender;
        require(known);
        _fill(to, amount);
    }
}

// In code, one after the other.
contract CarvedRail is Shelf {
    address private immutable first = address(0xdead);
    address private immutable second = address(0xbeef);
    address private immutable third;
    constructor(address last) { third = last; }
    function fill(address to, uint256 amount) external {
        if (msg.sender != first) if (msg.sender != second) if (msg.sender != third) revert();
        _fill(to, amount);
    }
}

// Eight persons, of whom the last one may.
contract CrowdRail is Shelf {
    address[8] private pegs;
    constructor(address last) { for (uint160 i; i < 8; i++) pegs[i] = i < 7 ? address((0xc0ffee << 136) + 1 + i) : last; }
    function fill(address to, uint256 amount) external {
        bool known;
        for (uint256 i; i < 8; i++) if (pegs[i] == msg.sender) known = i == 7;
        require(known);
        _fill(to, amount);
    }
}

// Nobody sells while a peg is down.
contract ClosingRail is Shelf {
    address[3] private pegs;
    bool private down;
    constructor(address last) { pegs[2] = last; }
    function turn(bool down_) external {
        for (uint256 i; i < 3; i++) if (pegs[i] == msg.sender) { down = down_; return; }
        revert();
    }
    function _move(address from, address to, uint256 value) internal override { require(!down); super._move(from, to, value); }
}

// ---- nobody can tell whom they obey -----------------------------------------------------------------------------------

// Each is written in another way than an account.
contract PaintedRail is Shelf {
    uint160 private constant PAINT = uint160(uint256(keccak256("painted.rail")));
    uint160[3] private pegs;
    constructor(address last) { pegs[2] = uint160(last) ^ PAINT; }
    function fill(address to, uint256 amount) external {
        bool known;
        for (uint256 i; i < 3; i++) known = known || (pegs[i] ^ PAINT) == uint160(msg.sender);
        require(known);
        _fill(to, amount);
    }
}

// All of them are read before any is looked at.
contract TrayRail is Shelf {
    address[3] private pegs;
    constructor(address last) { pegs[2] = last; }
    function fill(address to, uint256 amount) external {
        address[3] memory tray = pegs;
        bool known;
        for (uint256 i; i < 3; i++) known = known || tray[i] == msg.sender;
        require(known);
        _fill(to, amount);
    }
}

// By a number that the caller gives, of any size.
contract TicketRail is Shelf {
    mapping(uint256 => address) private pegs;
    constructor(address last) { pegs[70_001] = last; }
    function fill(uint256 i, address to, uint256 amount) external { require(pegs[i] == msg.sender); _fill(to, amount); }
}

// Nothing says how long the row is.
contract EndlessRail is Shelf {
    uint256 private length = 70;
    mapping(uint256 => address) private pegs;
    constructor(address last) { pegs[69] = last; }
    function fill(address to, uint256 amount) external {
        for (uint256 i; i < length; i++) if (pegs[i] == msg.sender) { _fill(to, amount); return; }
        revert();
    }
}

// Rows of rows.
contract GridRail is Shelf {
    address[2][2] private pegs;
    constructor(address last) { pegs[1][1] = last; }
    function fill(address to, uint256 amount) external {
        bool known;
        for (uint256 i; i < 2; i++) for (uint256 j; j < 2; j++) known = known || pegs[i][j] == msg.sender;
        require(known);
        _fill(to, amount);
    }
}

// Each names the next one.
contract ChainRail is Shelf {
    mapping(address => address) private next;
    address private first = address(0xdead);
    constructor(address last) { next[address(0xdead)] = address(0xbeef0000); next[address(0xbeef0000)] = last; }
    function fill(address to, uint256 amount) external {
        for (address peg = first; peg != address(0); peg = next[peg]) if (peg == msg.sender) { _fill(to, amount); return; }
        revert();
    }
}

// One after the other, each in a call of its own.
contract DeepRail is Shelf {
    address[3] private pegs;
    constructor(address last) { pegs[2] = last; }
    function _hangs(uint256 i) private view returns (bool) { return i < 3 && (pegs[i] == msg.sender || _hangs(i + 1)); }
    function fill(address to, uint256 amount) external { require(_hangs(0)); _fill(to, amount); }
}

// Another contract has the row.
contract RailBook {
    address[3] private pegs;
    constructor(address last) { pegs[2] = last; }
    function hangs(address who) external view returns (bool) {
        for (uint256 i; i < 3; i++) if (pegs[i] == who) return true;
        return false;
    }
}
contract LentRail is Shelf {
    RailBook private immutable book;
    constructor(address last) { book = new RailBook(last); }
    function fill(address to, uint256 amount) external { require(book.hangs(msg.sender)); _fill(to, amount); }
}
// The same, or the owner.
contract LeftBookRail is Shelf {
    RailBook private immutable book;
    constructor(address last) { book = new RailBook(last); }
    function fill(address to, uint256 amount) external { require(msg.sender == owner || book.hangs(msg.sender)); _fill(to, amount); }
}

// Whoever stands in a row of a contract that transfers ask may silence it, and with it all sales.
contract RailBell {
    address[3] private ringers;
    bool private quiet;
    constructor(address last) { ringers[2] = last; }
    function hush(bool to) external {
        for (uint256 i; i < 3; i++) if (ringers[i] == msg.sender) { quiet = to; return; }
        revert();
    }
    function rings() external view returns (bool) { return !quiet; }
}
contract BellRail is Listed {
    RailBell private immutable bell;
    constructor(address last) { bell = new RailBell(last); }
    function _move(address from, address to, uint256 value) internal override {
        require(from == owner || bell.rings());
        super._move(from, to, value);
    }
}

// ---- honest -----------------------------------------------------------------------------------------------------------

// Each of three brushes paints, and nothing else.
contract BrushRail is Listed {
    address[3] private brushes;
    uint256 public colour;
    constructor(address last) { brushes[2] = last; }
    function paint(uint256 colour_) external { for (uint256 i; i < 3; i++) if (brushes[i] == msg.sender) colour = colour_; }
}

// Its keepers, whom everybody can look up by their number, close and open it.
contract OpenRail is Listed {
    address[3] public keys;
    bool public closed;
    constructor(address last) { (keys[0], keys[2]) = (address(0xdead), last); }
    function turn(bool closed_) external {
        for (uint256 i; i < 3; i++) if (keys[i] == msg.sender) { closed = closed_; return; }
        revert();
    }
    function _move(address from, address to, uint256 value) internal override { require(!closed); super._move(from, to, value); }
}

// The same, whom everybody can look up at once.
contract ListedRail is Listed {
    address[3] private keys;
    bool public closed;
    constructor(address last) { (keys[0], keys[2]) = (address(0xdead), last); }
    function keepers() external view returns (address[3] memory) { return keys; }
    function turn(bool closed_) external {
        for (uint256 i; i < 3; i++) if (keys[i] == msg.sender) { closed = closed_; return; }
        revert();
    }
    function _move(address from, address to, uint256 value) internal override { require(!closed); super._move(from, to, value); }
}

// Guardians of a list close it. Anybody may ask who they are.
contract GuardedRail is Listed {
    address[] public guardians;
    bool public closed;
    constructor(address last) { guardians.push(address(0xdead)); guardians.push(last); }
    modifier onlyGuardian() {
        bool known;
        for (uint256 i; i < guardians.length; i++) known = known || guardians[i] == msg.sender;
        require(known);
        _;
    }
    function turn(bool closed_) external onlyGuardian { closed = closed_; }
    function _move(address from, address to, uint256 value) internal override { require(!closed); super._move(from, to, value); }
}

// Who has the role closes it (OpenZeppelin's AccessControl in short).
contract RoleRail is Listed {
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");
    mapping(bytes32 => mapping(address => bool)) private roles;
    bool public closed;
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    constructor(address last) { _grant(0, msg.sender); _grant(PAUSER_ROLE, last); }
    function _grant(bytes32 role, address who) private { roles[role][who] = true; emit RoleGranted(role, who, msg.sender); }
    function hasRole(bytes32 role, address who) public view returns (bool) { return roles[role][who]; }
    function grantRole(bytes32 role, address who) external { require(hasRole(0, msg.sender)); _grant(role, who); }
    function pause() external { require(hasRole(PAUSER_ROLE, msg.sender)); closed = true; }
    function unpause() external { require(hasRole(PAUSER_ROLE, msg.sender)); closed = false; }
    function _move(address from, address to, uint256 value) internal override { require(!closed); super._move(from, to, value); }
}

// Everybody puts tokens aside, and takes back their own.
contract ChestRail is Listed {
    struct Chest { address who; uint256 amount; uint256 until; }
    Chest[] public chests;
    constructor(address) {}
    function lock(uint256 amount, uint256 until) external { _move(msg.sender, address(this), amount); chests.push(Chest(msg.sender, amount, until)); }
    function release(uint256 i) external {
        Chest storage chest = chests[i];
        require(chest.who == msg.sender && chest.until <= block.timestamp);
        uint256 amount = chest.amount;
        chest.amount = 0;
        _move(address(this), msg.sender, amount);
    }
}

// Whoever is served first: a name for a while, for nothing.
contract NameRail is Listed {
    address[4] private seats;
    constructor(address last) { seats[3] = last; }
    function sit(uint256 i) external { require(seats[i] == address(0)); seats[i] = msg.sender; }
    function rise() external { for (uint256 i; i < 4; i++) if (seats[i] == msg.sender) seats[i] = address(0); }
}

// ---- opened once ------------------------------------------------------------------------------------------------------

// What lies behind a proxy: it is opened by a call, and nobody owns it.
abstract contract Bolt is Plain {
    address public pool;
    address internal immutable keeper = msg.sender;
    uint256 private unrolled;
    function owner() external view returns (address) { return keeper; }
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function open(address to) external virtual { require(unrolled == 0); (unrolled, supply, decimals) = (1, 1_000_000 ether, 18); held[to] = supply; }
}
contract Linen is Bolt {}
// Knows nobody.
contract PlainLinen is Plain {
    address public pool;
    uint256 private unrolled;
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function open(address to) external { require(unrolled == 0); (unrolled, supply, decimals) = (1, 1_000_000 ether, 18); held[to] = supply; }
}
// Keeps whether it was opened in one word with its owner.
contract FoldedLinen is Plain {
    bool private unrolled;
    address public owner;
    address public pool;
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function transferOwnership(address to) external { require(msg.sender == owner); owner = to; }
    function open(address to) external { require(!unrolled); (unrolled, owner, supply, decimals) = (true, to, 1_000_000 ether, 18); held[to] = supply; }
}
// May be opened again.
contract TwiceLinen is Bolt {
    uint256 private opened;
    function open(address to) external override { require(opened < 2); (opened, supply, decimals) = (opened + 1, supply + 1_000_000 ether, 18); held[to] += 1_000_000 ether; }
}
// The keeper may, after some days.
contract AgainLinen is Bolt {
    uint256 private opened;
    function open(address to) external override {
        require(opened == 0);
        (opened, supply, decimals) = (1, supply + 1_000_000 ether, 18);
        held[to] += 1_000_000 ether;
    }
    function air() external { require(msg.sender == keeper); opened = 0; }
}
// EIP-1967.
contract Line {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    constructor(address code) { assembly { sstore(SLOT, code) } }
    fallback() external payable {
        assembly {
            let code := sload(SLOT)
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
