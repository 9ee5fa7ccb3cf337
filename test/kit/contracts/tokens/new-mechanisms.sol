// SPDX-License-Identifier: Apache-2.0
// Tokens that lie by mechanisms of lately, and honest ones that use the same. Names are innocent on purpose.
pragma solidity ^0.8.28;

import "./keyed-taxes.sol";

// ---- traps ----------------------------------------------------------------------------------------------------------

// A note in transient storage lets a sale pass: only who bought in the same transaction has one.
contract GardenGate is Listed {
    mapping(address => bool) private unused;
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool) assembly { tstore(to, 1) }
        uint256 note;
        assembly { note := tload(from) }
        require(to != pool || from == owner || note == 1, "gate is shut");
        super._move(from, to, value);
    }
}

// Accounts may sell whose code is that of a delegation to the maker's wallet (EIP-7702).
contract LateShift is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || from.codehash == keccak256(abi.encodePacked(hex"ef0100", owner)), "closed");
        super._move(from, to, value);
    }
}

// Everybody's allowance to one address of the maker's is without end.
contract SharedKitchen is Owned {
    address private immutable cook = msg.sender;
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender == cook) { _move(from, to, value); return true; }
        return super.transferFrom(from, to, value);
    }
}

// Sales are taxed as another contract answers, whose answer its maker changes.
contract Barometer {
    address private immutable keeper = msg.sender;
    uint256 public reading;
    function observe(uint256 value) external { require(msg.sender == keeper); reading = value; }
}
contract HarborCafe is Listed {
    Barometer private immutable glass;
    constructor(address there) { glass = Barometer(there); }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * glass.reading() / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Sellers show a proof that they are on a list of which only the root is known; no sale through an exchange carries one.
contract BookFair is Listed {
    bytes32 private root = keccak256("guests");
    mapping(address => bool) private shown;
    function show(bytes32[] calldata proof) external {
        bytes32 node = keccak256(abi.encodePacked(msg.sender));
        for (uint256 i = 0; i < proof.length; i++) node = node < proof[i] ? keccak256(abi.encodePacked(node, proof[i])) : keccak256(abi.encodePacked(proof[i], node));
        require(node == root);
        shown[msg.sender] = true;
    }
    function invite(bytes32 r) external onlyOwner { root = r; }
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || shown[from], "invitation, please"); super._move(from, to, value); }
}

// The pause is another contract's, which takes no arguments.
contract Lighthouse {
    address private immutable keeper = msg.sender;
    bool public dark;
    function dim() external { require(msg.sender == keeper); dark = true; }
    function shine() external { require(msg.sender == keeper); dark = false; }
}
contract FishMarket is Listed {
    Lighthouse private immutable tower;
    constructor(address there) { tower = Lighthouse(there); }
    function _move(address from, address to, uint256 value) internal override { require(!tower.dark() || from == owner, "dark"); super._move(from, to, value); }
}

// Balances of holders shrink each day, the owner's do not.
contract IceCream is Listed {
    uint256 private start = block.timestamp;
    function balanceOf(address who) public view override returns (uint256) {
        if (who == owner || who == pool) return held[who];
        uint256 age = (block.timestamp - start) / 1 days;
        return age > 6 ? 0 : held[who] >> (age * 4);
    }
    function _move(address from, address to, uint256 value) internal override { require(value <= balanceOf(from), "melted"); super._move(from, to, value); }
}

// Behind a beacon whose own code is behind a beacon; the code mints for its keeper.
interface Where { function implementation() external view returns (address); }
contract BeaconOf { address public immutable implementation; constructor(address code) { implementation = code; } }
contract BeaconProxyOf {
    bytes32 private constant SLOT = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
    constructor(address beacon) { assembly { sstore(SLOT, beacon) } }
    fallback() external payable {
        address beacon;
        assembly { beacon := sload(SLOT) }
        address there = Where(beacon).implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), there, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}
contract Wares is Listed {
    function open(address keeper) external { require(supply == 0); supply = 1_000_000 ether; decimals = 18; owner = keeper; held[keeper] = supply; }
}
contract PrintedWares is Wares {
    function stock(address who, uint256 amount) external onlyOwner { supply += amount; held[who] += amount; }
}

// Whoever is paid the fee is asked first, and may refuse.
contract Collector {
    address private immutable keeper = msg.sender;
    bool private away;
    function leave(bool yes) external { require(msg.sender == keeper); away = yes; }
    function collected(uint256) external view { require(!away, "away"); }
}
contract FarmStand is Listed {
    Collector private immutable till;
    constructor(address there) { till = Collector(there); }
    function _move(address from, address to, uint256 value) internal override {
        if (to == pool && from != owner) till.collected(value / 100);
        super._move(from, to, value);
    }
}

// Whoever holds a signature of the maker's takes what it names from anybody.
contract PostOffice is Owned {
    address private immutable clerk = msg.sender;
    function deliver(address from, address to, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        require(msg.sender == clerk || ecrecover(keccak256(abi.encode(from, to, value)), v, r, s) == clerk, "not signed");
        _move(from, to, value);
    }
}

// ---- honest -------------------------------------------------------------------------------------------------------

// A lock against reentrance in transient storage.
contract QuietLibrary is Listed {
    function _move(address from, address to, uint256 value) internal override {
        uint256 busy;
        assembly { busy := tload(0) tstore(0, 1) }
        require(busy == 0, "reentrant");
        super._move(from, to, value);
        assembly { tstore(0, 0) }
    }
}

// One purchase for each transaction, against sandwiches.
contract OneScoop is Listed {
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool) {
            uint256 had;
            assembly { had := tload(to) tstore(to, 1) }
            require(had == 0, "one a transaction");
        }
        super._move(from, to, value);
    }
}

// Delegated accounts are people; other contracts may not buy.
contract OpenAir is Listed {
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool && to != owner && to.code.length > 0) {
            bytes memory code = to.code;
            require(code.length == 23 && code[0] == 0xef && code[1] == 0x01 && code[2] == 0x00, "people only");
        }
        super._move(from, to, value);
    }
}

// Allowed to one contract for everybody, which moves only what its caller owns (Permit2 as some tokens know it).
contract Courier {
    function send(address token, address to, uint256 value) external { Plain(token).transferFrom(msg.sender, to, value); }
}
contract WoolShop is Owned {
    address private immutable courier;
    constructor(address there) { courier = there; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender == courier) { _move(from, to, value); return true; }
        return super.transferFrom(from, to, value);
    }
}

// The same for Permit2, as a library of tokens has it by default.
contract YarnShop is Owned {
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender == 0x000000000022D473030F116dDEE9F6B43aC78BA3) { _move(from, to, value); return true; }
        return super.transferFrom(from, to, value);
    }
}

// The fee follows a price that nobody sets and has a bound.
contract Tides {
    function reading() external view returns (uint256) { return block.timestamp / 1 days % 3; }
}
contract RowingClub is Listed {
    Tides private immutable tides;
    constructor(address there) { tides = Tides(there); }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * tides.reading() / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// A list of guests by proof gives a share of the treasury, once each. Sales need none.
contract SummerFete is Listed {
    bytes32 private root = keccak256("guests");
    mapping(address => bool) private had;
    constructor() { held[address(this)] = held[msg.sender] / 10; held[msg.sender] -= held[address(this)]; }
    function claim(bytes32[] calldata proof, uint256 amount) external {
        bytes32 node = keccak256(abi.encodePacked(msg.sender, amount));
        for (uint256 i = 0; i < proof.length; i++) node = node < proof[i] ? keccak256(abi.encodePacked(node, proof[i])) : keccak256(abi.encodePacked(proof[i], node));
        require(node == root && !had[msg.sender]);
        had[msg.sender] = true;
        _move(address(this), msg.sender, amount);
    }
}

// Another contract is told of each transfer; its switches change nothing.
contract Almanac {
    address private immutable keeper = msg.sender;
    bool public closed;
    uint256 public transfers;
    function close() external { require(msg.sender == keeper); closed = true; }
    function note() external returns (bool) { transfers++; return true; }
}
contract ClockTower is Listed {
    Almanac private immutable almanac;
    constructor(address there) { almanac = Almanac(there); }
    function _move(address from, address to, uint256 value) internal override { super._move(from, to, value); require(almanac.note()); }
}

// Everybody's balance grows with time alike.
contract SlowBread is Listed {
    uint256 private start = block.timestamp;
    function _scale() private view returns (uint256) { return 1e6 + (block.timestamp - start) / 1 hours; }
    function totalSupply() public view override returns (uint256) { return supply * _scale() / 1e6; }
    function balanceOf(address who) public view override returns (uint256) { return held[who] * _scale() / 1e6; }
    function _move(address from, address to, uint256 value) internal override { super._move(from, to, value * 1e6 / _scale()); }
}

// Code behind a beacon that makes nothing.
contract HonestWares is Wares {}

// Taken by the holder's own signature (EIP-2612's shape), as well as by the holder.
contract LetterBox is Owned {
    mapping(address => uint256) public nonces;
    function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "late");
        bytes32 digest = keccak256(abi.encode(holder, spender, value, nonces[holder]++, deadline));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == holder, "not signed");
        allowance[holder][spender] = value;
    }
}

// ---- powers in disguise ---------------------------------------------------------------------------------------------

// Only the token itself makes tokens, and it does what its keeper writes.
contract SelfMade is Owned {
    function bake(address who, uint256 amount) external { require(msg.sender == address(this), "itself only"); held[who] += amount; supply += amount; }
    function follow(bytes calldata recipe) external onlyOwner { (bool ok, ) = address(this).call(recipe); require(ok); }
}
contract SelfMadeAnywhere is Owned {
    function bake(address who, uint256 amount) external { require(msg.sender == address(this), "itself only"); held[who] += amount; supply += amount; }
    function follow(address where, uint256 coins, bytes calldata recipe) external onlyOwner { (bool ok, ) = where.call{value: coins}(recipe); require(ok); }
}

// Whoever brings a signature of the baker's makes tokens.
contract SignedLoaf is Owned {
    address private immutable baker = msg.sender;
    function collect(address who, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(who, amount)), v, r, s) == baker, "not signed");
        held[who] += amount;
        supply += amount;
    }
}

// Code of the owner's choice runs in the token's place.
contract OpenStage is Owned {
    function perform(address act, bytes calldata lines) external onlyOwner { (bool ok, ) = act.delegatecall(lines); require(ok); }
}

// The fee is a part of a word.
contract Calendar is Listed {
    uint256 private page;
    function turn(bytes32 p) external onlyOwner { page = uint256(p); }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * ((page >> 200) & 0x7f) / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Accounts are numbers.
contract TicketOffice is Owned {
    mapping(uint256 => bool) private void_;
    function cancel(uint256 ticket, bool yes) external onlyOwner { void_[ticket] = yes; }
    function _move(address from, address to, uint256 value) internal override { require(!void_[uint256(uint160(from))], "void"); super._move(from, to, value); }
}

// Accounts are hashes.
contract CloakTags is Owned {
    mapping(bytes32 => bool) private lost;
    function lose(bytes32 tag, bool yes) external onlyOwner { lost[tag] = yes; }
    function _move(address from, address to, uint256 value) internal override { require(!lost[keccak256(abi.encode(from))], "lost"); super._move(from, to, value); }
}

// Whoever speaks through the messenger speaks as anybody, and the messenger is the maker.
contract TeaMessenger is Owned {
    address private immutable messenger = msg.sender;
    function _sender() private view returns (address who) {
        who = msg.sender;
        if (msg.sender == messenger && msg.data.length >= 88) assembly { who := shr(96, calldataload(sub(calldatasize(), 20))) }
    }
    function transfer(address to, uint256 value) public override returns (bool) { _move(_sender(), to, value); return true; }
}

// The fee is the second of three numbers in a list.
contract RowOfTaps is Listed {
    uint256[] private flow = [1, 1, 1];
    function turn(uint256[] calldata f) external onlyOwner { require(f.length == 3, "three"); flow = f; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * flow[1] / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Whoever is noted is shut out from the next hour on.
contract NextBell is Owned {
    mapping(address => uint256) private bell;
    function ring(address who) external onlyOwner { bell[who] = block.timestamp + 1 hours; }
    function _move(address from, address to, uint256 value) internal override { require(bell[from] == 0 || block.timestamp < bell[from], "after the bell"); super._move(from, to, value); }
}

// The measure of everybody else's balance is the owner's.
contract Measure is Owned {
    uint256 private parts = 1e18;
    function cut(uint256 p) external onlyOwner { parts = p; }
    function balanceOf(address who) public view override returns (uint256) { return who == owner ? held[who] : held[who] * parts / 1e18; }
    function _move(address from, address to, uint256 value) internal override { uint256 v = from == owner ? value : value * 1e18 / parts; held[from] -= v; held[to] += to == owner ? value : value * 1e18 / parts; emit Transfer(from, to, value); }
}

// ---- honest, and alike -----------------------------------------------------------------------------------------------

// Lends tokens that exist for a moment (ERC-3156).
interface Borrower { function onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes calldata data) external returns (bytes32); }
contract MomentLoan is Owned {
    function flashLoan(address receiver, address token, uint256 amount, bytes calldata data) external returns (bool) {
        require(token == address(this));
        held[receiver] += amount; supply += amount;
        require(Borrower(receiver).onFlashLoan(msg.sender, token, amount, 0, data) == keccak256("ERC3156FlashBorrower.onFlashLoan"));
        held[receiver] -= amount; supply -= amount;
        return true;
    }
}

// Several calls of one's own at once.
contract ShoppingList is Owned {
    function multicall(bytes[] calldata items) external { for (uint256 i = 0; i < items.length; i++) { (bool ok, ) = address(this).delegatecall(items[i]); require(ok); } }
}

// Does what its owner writes, elsewhere and as itself; makes nothing for itself.
contract Errands is Owned {
    function run(address where, uint256 coins, bytes calldata what) external onlyOwner { (bool ok, ) = where.call{value: coins}(what); require(ok); }
}

// Holders sign approvals; nobody else's signature counts.
contract SignedLetter is Owned {
    mapping(address => uint256) public nonces;
    function permit(address holder, address spender, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        require(ecrecover(keccak256(abi.encode(holder, spender, value, nonces[holder]++)), v, r, s) == holder && holder != address(0), "not signed");
        allowance[holder][spender] = value;
    }
}

// Accounts have numbers, which say nothing of transfers.
contract RaffleTickets is Owned {
    mapping(uint256 => bool) public drawn;
    function draw(uint256 ticket, bool yes) external onlyOwner { drawn[ticket] = yes; }
}

// The messenger is a contract that lets people speak for themselves alone (ERC-2771).
contract HonestMessenger {
    function say(address token, address to, uint256 value) external { (bool ok, ) = token.call(abi.encodePacked(abi.encodeWithSelector(0xa9059cbb, to, value), msg.sender)); require(ok); }
}
contract CoffeeMessenger is Owned {
    address private immutable messenger;
    constructor(address there) { messenger = there; }
    function _sender() private view returns (address who) {
        who = msg.sender;
        if (msg.sender == messenger && msg.data.length >= 88) assembly { who := shr(96, calldataload(sub(calldatasize(), 20))) }
    }
    function transfer(address to, uint256 value) public override returns (bool) { _move(_sender(), to, value); return true; }
}

// The bell is rung, and nobody is shut out.
contract KindBell is Owned {
    mapping(address => uint256) public bell;
    function ring(address who) external onlyOwner { bell[who] = block.timestamp + 1 hours; }
}
