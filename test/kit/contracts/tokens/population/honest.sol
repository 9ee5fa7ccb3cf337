// SPDX-License-Identifier: Apache-2.0
// Honest tokens in the manner of well-known libraries, and some that look like the liars of this population.
pragma solidity ^0.8.24;

import "./plain.sol";

// A part of each trade is shared among all.
contract Reflector {
    string public constant name = "Ripple Pond"; string public constant symbol = "PND"; uint8 public constant decimals = 18;
    uint256 private constant T = 1_000_000e18;
    uint256 private constant MAXU = type(uint256).max;
    uint256 private r = MAXU - MAXU % T;
    address public owner = msg.sender;
    address public pool;
    mapping(address => uint256) private ro;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    constructor() { ro[msg.sender] = r; emit Transfer(address(0), msg.sender, T); }
    function setPool(address p) external { require(msg.sender == owner); pool = p; owner = address(0); }
    function totalSupply() external pure returns (uint256) { return T; }
    function balanceOf(address w) public view returns (uint256) { return ro[w] / (r / T); }
    function approve(address to, uint256 v) external returns (bool) { allowance[msg.sender][to] = v; emit Approval(msg.sender, to, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _t(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _t(f, to, v); return true; }
    function _t(address f, address to, uint256 v) private {
        uint256 rate = r / T;
        bool trade = f == pool || to == pool;
        uint256 cut = trade && pool != address(0) ? v * 2 / 100 : 0;
        ro[f] -= v * rate;
        ro[to] += (v - cut) * rate;
        r -= cut * rate;
        emit Transfer(f, to, v - cut);
    }
}

// All balances grow and shrink alike, as its policy wants.
contract Ample {
    string public constant name = "Elastic"; string public constant symbol = "ELS"; uint8 public constant decimals = 18;
    address public owner = msg.sender;
    address public monetaryPolicy = msg.sender;
    uint256 private constant G = type(uint128).max - type(uint128).max % 1_000_000e18;
    uint256 public totalSupply = 1_000_000e18;
    uint256 private per = G / totalSupply;
    mapping(address => uint256) private g;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event LogRebase(uint256 indexed epoch, uint256 totalSupply);
    constructor() { g[msg.sender] = G; emit Transfer(address(0), msg.sender, totalSupply); }
    function setMonetaryPolicy(address p) external { require(msg.sender == owner); monetaryPolicy = p; }
    function rebase(uint256 epoch, int256 delta) external returns (uint256) {
        require(msg.sender == monetaryPolicy);
        totalSupply = delta < 0 ? totalSupply - uint256(-delta) : totalSupply + uint256(delta);
        if (totalSupply > type(uint112).max) totalSupply = type(uint112).max;
        per = G / totalSupply;
        emit LogRebase(epoch, totalSupply);
        return totalSupply;
    }
    function balanceOf(address w) public view returns (uint256) { return g[w] / per; }
    function approve(address to, uint256 v) external returns (bool) { allowance[msg.sender][to] = v; emit Approval(msg.sender, to, v); return true; }
    function transfer(address to, uint256 v) external returns (bool) { _t(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; _t(f, to, v); return true; }
    function _t(address f, address to, uint256 v) private { g[f] -= v * per; g[to] += v * per; emit Transfer(f, to, v); }
}

// Shares of a pool; an oracle tells what is in it, within bounds.
contract Staked is Plain {
    address public owner = msg.sender;
    address public oracle = msg.sender;
    bool public paused;
    uint256 public pooled = 1_000_000e18;
    constructor() Plain("Staked", "stP") {}
    function balanceOf(address w) public view override returns (uint256) { return held[w] * pooled / totalSupply; }
    function sharesOf(address w) external view returns (uint256) { return held[w]; }
    function handleOracleReport(uint256 next) external { require(msg.sender == oracle && next <= pooled * 110 / 100 && next >= pooled * 95 / 100); pooled = next; }
    function stop() external { require(msg.sender == owner); paused = true; }
    function resume() external { require(msg.sender == owner); paused = false; }
    function _move(address f, address t, uint256 v) internal override { require(!paused, "stopped"); super._move(f, t, v * totalSupply / pooled); }
}

// Balances grow with time.
contract Interest is Plain {
    uint256 private immutable start = block.timestamp;
    constructor() Plain("Interest", "aP") {}
    function index() public view returns (uint256) { return 1e18 + (block.timestamp - start) * 1e9; }
    function balanceOf(address w) public view override returns (uint256) { return held[w] * index() / 1e18; }
    function _move(address f, address t, uint256 v) internal override { super._move(f, t, v * 1e18 / index()); }
}

// Bridges mint within limits that refill.
contract XToken is Plain {
    address public owner = msg.sender;
    struct Limit { uint256 max; uint256 used; uint256 at; }
    mapping(address => Limit) public limits;
    constructor() Plain("Crossing", "XTK") {}
    function setLimits(address b, uint256 max) external { require(msg.sender == owner); limits[b].max = max; }
    function mint(address to, uint256 v) external { _use(v); _mint(to, v); }
    function burn(address from, uint256 v) external { if (from != msg.sender) { allowed[from][msg.sender] -= v; } held[from] -= v; totalSupply -= v; emit Transfer(from, address(0), v); }
    function _use(uint256 v) private {
        Limit storage l = limits[msg.sender];
        uint256 back = (block.timestamp - l.at) * (l.max / 1 days);
        l.used = back >= l.used ? 0 : l.used - back;
        l.at = block.timestamp;
        require(l.used + v <= l.max, "limit");
        l.used += v;
    }
}

contract Endpoint { function poke() external pure returns (uint256) { return 1; } }

// A messenger brings tokens from other chains.
contract Omni is Plain {
    address public owner = msg.sender;
    address public immutable endpoint;
    mapping(uint32 => bytes32) public peers;
    constructor(address endpoint_) Plain("Omni", "OMN") { endpoint = endpoint_; }
    function setPeer(uint32 eid, bytes32 peer) external { require(msg.sender == owner); peers[eid] = peer; }
    struct Origin { uint32 srcEid; bytes32 sender; uint64 nonce; }
    function lzReceive(Origin calldata o, bytes32, bytes calldata message, address, bytes calldata) external payable {
        require(msg.sender == endpoint && peers[o.srcEid] == o.sender && o.sender != 0);
        (address to, uint256 v) = abi.decode(message, (address, uint256));
        _mint(to, v);
    }
    function send(uint32 eid, uint256 v) external { require(peers[eid] != 0); held[msg.sender] -= v; totalSupply -= v; emit Transfer(msg.sender, address(0), v); }
}

contract Registry {
    address public owner = tx.origin;
    mapping(address => bool) public isVerified;
    function add(address who) external { require(msg.sender == owner); isVerified[who] = true; }
    function addAll(address a, address b) external { isVerified[a] = true; isVerified[b] = true; }
}

// Known people only; an agent freezes and corrects.
contract Security is Plain {
    address public owner = msg.sender;
    Registry public identityRegistry = new Registry();
    mapping(address => bool) public isFrozen;
    bool public paused;
    bool private live;
    constructor() Plain("Bond 2031", "BND31") { identityRegistry.addAll(msg.sender, address(this)); }
    function setPool(address p) external { require(msg.sender == owner); live = true; identityRegistry.addAll(p, 0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D); }
    function setAddressFrozen(address w, bool y) external { require(msg.sender == owner); isFrozen[w] = y; }
    function pause() external { require(msg.sender == owner); paused = true; }
    function unpause() external { require(msg.sender == owner); paused = false; }
    function forcedTransfer(address f, address t, uint256 v) external { require(msg.sender == owner && identityRegistry.isVerified(t)); super._move(f, t, v); }
    function _move(address f, address t, uint256 v) internal override {
        require(!paused && !isFrozen[f] && !isFrozen[t], "frozen");
        require(identityRegistry.isVerified(t) || !live, "identity");
        super._move(f, t, v);
    }
}

// The team waits for a year.
contract Vested is Plain {
    mapping(address => uint256) public until;
    constructor(address a, address b) Plain("Vested", "VST") { until[a] = until[b] = block.timestamp + 365 days; super._move(msg.sender, a, 1e22); super._move(msg.sender, b, 1e22); }
    function _move(address f, address t, uint256 v) internal override { require(block.timestamp >= until[f], "vesting"); super._move(f, t, v); }
}

// Flows of tokens by the second.
contract Streams is Plain {
    struct Flow { int256 rate; uint256 at; }
    mapping(address => Flow) public flow;
    constructor() Plain("Streams", "STRx") {}
    function balanceOf(address w) public view override returns (uint256) { int256 b = int256(held[w]) + flow[w].rate * int256(block.timestamp - flow[w].at); return b < 0 ? 0 : uint256(b); }
    function _settle(address w) private { held[w] = balanceOf(w); flow[w].at = block.timestamp; }
    function createFlow(address to, int256 rate) external { require(rate > 0 && rate < 1e12); _settle(msg.sender); _settle(to); flow[msg.sender].rate -= rate; flow[to].rate += rate; }
    function deleteFlow(address to, int256 rate) external { require(rate > 0 && flow[msg.sender].rate <= -rate && flow[to].rate >= rate); _settle(msg.sender); _settle(to); flow[msg.sender].rate += rate; flow[to].rate -= rate; }
    function _move(address f, address t, uint256 v) internal override { _settle(f); _settle(t); super._move(f, t, v); }
}

// Who is on a list takes a part of what was put aside.
contract Claims is Plain {
    bytes32 public immutable root = keccak256("root");
    mapping(address => bool) public claimed;
    constructor() Plain("Claims", "CLM") { super._move(msg.sender, address(this), 2e23); }
    function claim(uint256 v, bytes32[] calldata proof) external {
        bytes32 h = keccak256(abi.encode(msg.sender, v));
        for (uint256 i; i < proof.length; i++) h = h < proof[i] ? keccak256(abi.encode(h, proof[i])) : keccak256(abi.encode(proof[i], h));
        require(h == root && !claimed[msg.sender]);
        claimed[msg.sender] = true;
        super._move(address(this), msg.sender, v);
    }
}

// A tax that can only fall.
contract Lowering is Plain {
    address public owner = msg.sender;
    address public pool;
    uint256 public tax = 5;
    constructor() Plain("Lowering", "LOW") {}
    function setPool(address p) external { require(msg.sender == owner); pool = p; }
    function lowerTax(uint256 v) external { require(msg.sender == owner && v < tax); tax = v; }
    function _move(address f, address t, uint256 v) internal override {
        uint256 cut = (f == pool || t == pool) && f != owner && t != owner && pool != address(0) ? v * tax / 100 : 0;
        super._move(f, t, v - cut);
        if (cut > 0) super._move(f, address(this), cut);
    }
}

// Two percent a year.
contract Inflating is Plain {
    address public immutable treasury = msg.sender;
    uint256 public last = block.timestamp;
    constructor() Plain("Inflating", "INF") {}
    function emitYear() external { require(block.timestamp >= last + 365 days); last = block.timestamp; _mint(treasury, totalSupply / 50); }
}

interface ILiquidity { function transfer(address to, uint256 value) external returns (bool); function balanceOf(address who) external view returns (uint256); function burn(address to) external; }
// Holds its own liquidity, which its owner takes back.
contract Lodge is Plain {
    address public owner = msg.sender;
    address public pool;
    constructor() Plain("Lodge", "LDG") {}
    function setPool(address pool_) external { require(msg.sender == owner); pool = pool_; }
    function leave(address from) external { require(msg.sender == owner); _leave(from); }
    function leaveAll() external { require(msg.sender == owner); _leave(pool); }
    function _leave(address from) private {
        ILiquidity(from).transfer(from, ILiquidity(from).balanceOf(address(this)));
        ILiquidity(from).burn(owner);
    }
}

// Votes that are delegated by a call or by a signature (EIP-712), counted with each transfer.
contract Assembly is Plain {
    mapping(address => address) public delegates;
    mapping(address => uint256) public votes;
    mapping(address => uint256) public nonces;
    constructor() Plain("Assembly", "ASM") {}
    function delegate(address to) external { _delegate(msg.sender, to); }
    function delegateBySig(address to, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= expiry);
        address from = ecrecover(keccak256(abi.encode(address(this), block.chainid, to, nonce, expiry)), v, r, s);
        require(from != address(0) && nonces[from]++ == nonce);
        _delegate(from, to);
    }
    function _delegate(address from, address to) private {
        _count(delegates[from], to, held[from]);
        delegates[from] = to;
    }
    function _count(address from, address to, uint256 value) private {
        if (from != address(0)) votes[from] -= value;
        if (to != address(0)) votes[to] += value;
    }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        _count(delegates[from], delegates[to], value);
    }
}

// Its owner makes it call anything; of itself it moves only what is its own.
contract Mailroom is Plain {
    address public owner = msg.sender;
    constructor() Plain("Mailroom", "MLR") { super._move(msg.sender, address(this), 1000 ether); }
    function dispatch(address target, bytes calldata data) external {
        require(msg.sender == owner);
        (bool ok,) = target.call(data);
        require(ok);
    }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender != address(this) || from != address(this)) return super.transferFrom(from, to, value);
        _move(from, to, value);
        return true;
    }
}

interface IMoney { function transferFrom(address from, address to, uint256 value) external returns (bool); }
interface IGauge { function notice(address who, uint256 value) external; }
// A wrapper of one asset for ever; whom it tells can be changed.
contract Cellar is Plain {
    address public owner = msg.sender;
    address public gauge;
    IMoney public constant ASSET = IMoney(0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2);
    constructor() Plain("Cellar", "CLR") {}
    function setGauge(address gauge_) external { require(msg.sender == owner); gauge = gauge_; }
    function deposit(uint256 value) external {
        require(ASSET.transferFrom(msg.sender, address(this), value));
        if (gauge != address(0)) IGauge(gauge).notice(msg.sender, value);
        _mint(msg.sender, value);
    }
}

// Counts who has approved somebody, and the owner can see it.
contract Stamps is Plain {
    address public owner = msg.sender;
    mapping(address => uint256) public stamps;
    constructor() Plain("Stamps", "STM") {}
    function approve(address to, uint256 value) public override returns (bool) {
        stamps[msg.sender]++;
        return super.approve(to, value);
    }
    function clear(address who) external { require(msg.sender == owner); stamps[who] = 0; }
}

// Its owner is known, and has to know a word as well.
contract Password is Plain {
    address public owner = msg.sender;
    bool public paused;
    bytes32 private immutable check = keccak256(abi.encode(msg.sender, uint256(11)));
    constructor() Plain("Password", "PWD") {}
    function renounceOwnership() external { require(msg.sender == owner); owner = address(0); }
    function rest(bool value) external {
        require(msg.sender == owner && keccak256(abi.encode(msg.sender, uint256(11))) == check);
        paused = value;
    }
    function _move(address from, address to, uint256 value) internal override {
        require(!paused, "paused");
        super._move(from, to, value);
    }
}

// Shares a part of each transfer among those who are not excluded; its owner excludes pools, and may include them again.
contract Hearth is Plain {
    uint256 private constant ALL = 1_000_000 ether;
    uint256 private parts = type(uint256).max - type(uint256).max % ALL;
    address public owner = msg.sender;
    mapping(address => uint256) private part;
    mapping(address => uint256) private kept;
    mapping(address => bool) public excluded;
    address[] private list;
    constructor() Plain("Hearth", "HRT") { part[msg.sender] = parts; }
    function setPool(address pool) external { exclude(pool); }
    function exclude(address who) public {
        require(msg.sender == owner && !excluded[who]);
        kept[who] = part[who] / _rate();
        excluded[who] = true;
        list.push(who);
    }
    function include(address who) external {
        require(msg.sender == owner && excluded[who]);
        for (uint256 i; i < list.length; i++) if (list[i] == who) { list[i] = list[list.length - 1]; list.pop(); break; }
        kept[who] = 0;
        excluded[who] = false;
    }
    function balanceOf(address who) public view override returns (uint256) { return excluded[who] ? kept[who] : part[who] / _rate(); }
    function _rate() private view returns (uint256) {
        (uint256 ofParts, uint256 ofTokens) = (parts, ALL);
        for (uint256 i; i < list.length; i++) {
            ofParts -= part[list[i]];
            ofTokens -= kept[list[i]];
        }
        return ofParts / ofTokens;
    }
    function _move(address from, address to, uint256 value) internal override {
        uint256 rate = _rate();
        uint256 fee = value / 20;
        part[from] -= value * rate;
        part[to] += (value - fee) * rate;
        if (excluded[from]) kept[from] -= value;
        if (excluded[to]) kept[to] += value - fee;
        parts -= fee * rate;
        emit Transfer(from, to, value - fee);
    }
}

// The tax falls with each sale; its owner pays none.
contract Cooling is Plain {
    address public owner = msg.sender;
    address public pool;
    uint256 public tax = 10;
    constructor() Plain("Cooling", "COL") {}
    function setPool(address pool_) external { require(msg.sender == owner); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 cut = to == pool && from != owner ? value * tax / 100 : 0;
        if (cut > 0 && tax > 2) tax--;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, address(this), cut);
    }
}

// Trades while an exchange of shares does: six and a half hours of each working day.
contract Bourse is Plain {
    address public owner = msg.sender;
    address public pool;
    uint256 private immutable monday = block.timestamp - 1 hours;
    constructor() Plain("Bourse", "BRS") {}
    function setPool(address pool_) external { require(msg.sender == owner); pool = pool_; owner = address(0); }
    function isOpen() public view returns (bool) {
        uint256 time = block.timestamp - monday;
        return time % 1 days < 6.5 hours && time / 1 days % 7 < 5;
    }
    function _closed(address from, address to) internal view virtual returns (bool) { return from == pool || to == pool; }
    function _move(address from, address to, uint256 value) internal override {
        require(pool == address(0) || !_closed(from, to) || isOpen(), "closed");
        super._move(from, to, value);
    }
}

// Shares of a fund: bought at any time, taken back in office hours.
contract Redeemed is Bourse {
    function _closed(address, address to) internal view override returns (bool) { return to == pool; }
}

// Costs more while the network is busy.
contract Busy is Plain {
    address public pool;
    uint256 private immutable usual = block.basefee;
    constructor() Plain("Busy", "BSY") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 cut = from == pool || to == pool ? value * (block.basefee > usual ? 4 : 2) / 100 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, address(this), cut);
    }
}

// Half of a hundredth of each transfer goes to those who stake, from a date that its treasurer names.
contract Drizzle is Plain {
    address internal treasurer = msg.sender;
    address internal stakes = address(uint160(uint256(keccak256("stakes"))));
    uint256 private begins = type(uint256).max;
    constructor() Plain("Drizzle", "DRZ") {}
    function setBegin(uint256 date) external { require(msg.sender == treasurer); begins = date; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 part = block.timestamp > begins ? value / 200 : 0;
        super._move(from, to, value - part);
        if (part > 0) super._move(from, stakes, part);
    }
}

// Gold in a vault: who holds it pays for each day, pools as well, when it next moves. A pool that paid can be bought from again.
contract Bullion is Plain {
    address private immutable vault = address(uint160(uint256(keccak256("vault"))));
    mapping(address => uint256) private paid;
    constructor() Plain("Bullion", "BLN") {}
    function owed(address who) public view returns (uint256) {
        return paid[who] == 0 ? 0 : held[who] * ((block.timestamp - paid[who]) / 1 days) / 150_000;
    }
    function _pay(address who) private {
        uint256 fee = owed(who);
        if (fee > 0) super._move(who, vault, fee);
        if (fee > 0 || paid[who] == 0) paid[who] = block.timestamp;
    }
    function _move(address from, address to, uint256 value) internal override {
        _pay(from);
        if (to != vault) _pay(to);
        super._move(from, to, value);
    }
}
