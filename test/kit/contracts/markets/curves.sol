// SPDX-License-Identifier: Apache-2.0
// Stand-ins for launchpads whose curves are markets, after their read interfaces: four.meme's managers, Flap's portal, and Bonding, BondingV2,
// FRouter and FPair of Virtuals. What a purchase costs is a product of imagined reserves; who may launch, and what happens after, is not played.
pragma solidity ^0.8.20;

interface Coin {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
    function setMode(uint256 mode) external;
}

/// Moves for its owner only while it is on its curve, as what four.meme launches. Nobody approves more than he has.
contract CurveToken {
    string public name = "Curved";
    string public symbol = "CRV";
    uint8 public decimals = 18;
    uint256 public totalSupply = 1_000_000 ether;
    address public owner = msg.sender;
    uint256 public _mode = 1;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() { balanceOf[msg.sender] = totalSupply; }
    function hand(address to) external { require(msg.sender == owner); _move(msg.sender, to, balanceOf[msg.sender]); owner = to; }
    function setMode(uint256 mode) external { require(msg.sender == owner); if (_mode != 0) _mode = mode; }
    function approve(address spender, uint256 value) external returns (bool) { require(value <= balanceOf[msg.sender]); allowance[msg.sender][spender] = value; return true; }
    function transfer(address to, uint256 value) external returns (bool) { _check(msg.sender, to); _move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _check(from, to);
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
    function _check(address from, address to) private view {
        require(_mode != 1, "Transfer is restricted");
        require(_mode == 0 || from == owner || to == owner, "Invalid transfer");
    }
    function _move(address from, address to, uint256 value) internal virtual { balanceOf[from] -= value; balanceOf[to] += value; emit Transfer(from, to, value); }
}

/// Who buys in its first blocks is a bot and stays out.
contract RushedToken is CurveToken {
    uint256 private immutable born = block.number;
    mapping(address => bool) private bot;
    function _move(address from, address to, uint256 value) internal override {
        require(!bot[from], "bots stay out");
        if (from == owner && from.code.length > 0 && block.number < born + 60) bot[to] = true;
        super._move(from, to, value);
    }
}

/// What four.meme's managers and Flap's portal have alike.
abstract contract CurvePad {
    mapping(address => uint256) internal closedFrom;
    mapping(address => bool) internal restricted;
    uint256 internal constant IMAGINED = 10 ether;

    /// Sales are refused so many seconds later, as an operator may have it.
    function suspend(address token, uint256 later) external { closedFrom[token] = block.timestamp + later; }
    /// What so much of this side is worth in so much of the other.
    function _worth(uint256 amount, uint256 side, uint256 other) internal pure returns (uint256) { return other * amount / (side + amount); }
    function _give(address token, address to, uint256 amount) internal {
        if (restricted[token]) Coin(token).setMode(2);
        require(Coin(token).transfer(to, amount), "transfer");
        if (restricted[token]) Coin(token).setMode(1);
    }
    function _take(address token, uint256 amount) internal {
        if (restricted[token]) Coin(token).setMode(2);
        require(Coin(token).transferFrom(msg.sender, address(this), amount), "transferFrom");
        if (restricted[token]) Coin(token).setMode(1);
    }
    function _pay(address to, uint256 amount) internal { (bool ok, ) = to.call{value: amount}(""); require(ok); }
}

/// four.meme's first manager: coins only, and its fee comes on top.
contract FourMemeFirstStandIn is CurvePad {
    struct Info { bool initialized; uint256 launchTime; uint256 K; uint256 T; uint256 offers; uint256 ethers; bool tradeEnable; bool liquidityAdded; bool tradingHalt; }
    mapping(address => Info) public _tokenInfos;

    function list(address token, address, uint256 status, bool mode, uint256 funds) external payable {
        if (!mode) Coin(token).transferFrom(msg.sender, address(this), 500_000 ether);
        (restricted[token], closedFrom[token]) = (mode, type(uint256).max);
        _tokenInfos[token] = Info(true, block.timestamp, 0, 0, 500_000 ether, funds, status != 3, status == 3, status == 1);
    }
    function lastPrice(address token) external view returns (uint256) { Info storage i = _tokenInfos[token]; return (IMAGINED + i.ethers) * 1 ether / i.offers; }
    function purchaseTokenAMAP(address token, uint256 funds, uint256 least) external payable {
        Info storage i = _tokenInfos[token];
        require(i.tradeEnable && !i.tradingHalt, "Disabled");
        uint256 fee = funds / 100 > 0.001 ether ? funds / 100 : 0.001 ether;
        require(msg.value >= funds + fee, "More BNB");
        uint256 amount = _worth(funds, IMAGINED + i.ethers, i.offers) / 1 gwei * 1 gwei;
        require(amount >= least, "Slippage");
        (i.offers, i.ethers) = (i.offers - amount, i.ethers + funds);
        _give(token, msg.sender, amount);
        _pay(msg.sender, msg.value - funds - fee);
    }
    function saleToken(address token, uint256 amount) external {
        Info storage i = _tokenInfos[token];
        require(i.tradeEnable && !i.tradingHalt && block.timestamp < closedFrom[token], "Disabled");
        require(amount % 1 gwei == 0, "GW");
        _take(token, amount);
        uint256 paid = _worth(amount, i.offers, IMAGINED + i.ethers);
        (i.offers, i.ethers) = (i.offers + amount, i.ethers - paid);
        _pay(msg.sender, paid * 99 / 100);
    }
}

/// Flap's portal, with half of a million as if it were a billion. It says nothing of what is not its own.
contract FlapStandIn is CurvePad {
    struct State { uint8 status; uint256 reserve; uint256 circulatingSupply; uint256 price; uint8 tokenVersion; uint256 r; uint256 h; uint256 k; uint256 dexSupplyThresh; address quote; bool nativeToQuote; bytes32 extension; uint256 buyTaxRate; uint256 sellTaxRate; address pool; uint256 progress; uint8 lpFeeProfile; uint8 dexId; }
    struct Swap { address from; address to; uint256 amount; uint256 least; bytes permit; }
    mapping(address => State) private states;
    mapping(address => uint256) private left;
    error TokenNotFound(address token);

    function list(address token, uint256 status, uint256 funds, uint256 tax) external payable {
        Coin(token).transferFrom(msg.sender, address(this), 500_000 ether);
        (closedFrom[token], left[token]) = (type(uint256).max, 500_000 ether);
        State storage s = states[token];
        (s.status, s.reserve, s.buyTaxRate, s.sellTaxRate) = (uint8(status), funds, tax, 2 * tax);
        _set(token, s);
    }
    function _set(address token, State storage s) private { (s.price, s.circulatingSupply) = ((IMAGINED + s.reserve) * 1 ether / left[token], 1_000_000_000 ether - left[token]); }
    function getTokenV8Safe(address token) external view returns (State memory) {
        if (states[token].status == 0) revert TokenNotFound(token);
        return states[token];
    }
    function swapExactInput(Swap calldata swap) external payable returns (uint256) {
        bool buys = swap.from == address(0);
        address token = buys ? swap.to : swap.from;
        State storage s = states[token];
        require(s.status == 1 && (buys ? msg.value == swap.amount : msg.value == 0), "Value");
        uint256 out;
        if (buys) {
            uint256 paid = swap.amount * (9_900 - s.buyTaxRate) / 10_000;
            out = _worth(paid, IMAGINED + s.reserve, left[token]);
            (left[token], s.reserve) = (left[token] - out, s.reserve + paid);
            _give(token, msg.sender, out);
        } else {
            require(swap.to == address(0) && block.timestamp < closedFrom[token], "Closed");
            _take(token, swap.amount);
            uint256 paid = _worth(swap.amount, left[token], IMAGINED + s.reserve);
            (left[token], s.reserve) = (left[token] + swap.amount, s.reserve - paid);
            out = paid * (9_900 - s.sellTaxRate) / 10_000;
            _pay(msg.sender, out);
        }
        _set(token, s);
        return out;
    }
}

contract FourMemeStandIn is CurvePad {
    struct Info { address base; address quote; uint256 template; uint256 totalSupply; uint256 maxOffers; uint256 maxRaising; uint256 launchTime; uint256 offers; uint256 funds; uint256 lastPrice; uint256 K; uint256 T; uint256 status; }
    mapping(address => Info) public _tokenInfos;

    /// Half of a million is for sale and a part of it was sold already, for what comes with the call.
    function list(address token, address quote, uint256 status, bool mode, uint256 funds) external payable {
        if (!mode) Coin(token).transferFrom(msg.sender, address(this), 500_000 ether);
        if (quote != address(0)) Coin(quote).transferFrom(msg.sender, address(this), funds);
        restricted[token] = mode;
        closedFrom[token] = type(uint256).max;
        _tokenInfos[token] = Info(token, quote, 0, 1_000_000 ether, 500_000 ether, 1_000 ether, block.timestamp, 500_000 ether, funds, (IMAGINED + funds) * 1 ether / 500_000 ether, 0, 0, status);
    }
    function fillAt(address token, uint256 most) external { _tokenInfos[token].maxRaising = most; }
    function wreck(address token) external { _tokenInfos[token].status = 9; }

    function buyTokenAMAP(address token, uint256 funds, uint256 least) external payable {
        Info storage i = _tokenInfos[token];
        require(i.status == 0 && block.timestamp >= i.launchTime, "Disabled");
        if (i.quote == address(0)) require(msg.value >= funds, "More BNB");
        else Coin(i.quote).transferFrom(msg.sender, address(this), funds);
        uint256 paid = funds * 99 / 100;
        uint256 amount = i.offers * paid / (IMAGINED + i.funds + paid) / 1 gwei * 1 gwei;
        require(amount >= least, "Slippage");
        i.offers -= amount;
        i.funds += paid;
        i.lastPrice = (IMAGINED + i.funds) * 1 ether / i.offers;
        _give(token, msg.sender, amount);
        if (i.funds >= i.maxRaising) { i.status = 3; _give(token, address(0xdead), Coin(token).balanceOf(address(this))); }
    }
    function sellToken(address token, uint256 amount) external {
        Info storage i = _tokenInfos[token];
        require(i.status == 0 && block.timestamp < closedFrom[token], "Disabled");
        require(amount % 1 gwei == 0, "GW");
        _take(token, amount);
        uint256 paid = (IMAGINED + i.funds) * amount / (i.offers + amount);
        i.offers += amount;
        i.funds -= paid;
        if (i.quote == address(0)) _pay(msg.sender, paid * 99 / 100);
        else Coin(i.quote).transfer(msg.sender, paid * 99 / 100);
    }
}

contract PairStandIn {
    address private immutable router = msg.sender;
    uint256 private a;
    uint256 private b;
    constructor(uint256 x, uint256 y) { (a, b) = (x, y); }
    function getReserves() external view returns (uint256, uint256) { return (a, b); }
    function move(address token, address to, uint256 amount) external { require(msg.sender == router); Coin(token).transfer(to, amount); }
    function set(uint256 x, uint256 y) external { require(msg.sender == router); (a, b) = (x, y); }
}

contract VirtualsRouterStandIn {
    address public assetToken;
    address private bonding = msg.sender;
    constructor(address asset) { assetToken = asset; }
    function pair(uint256 x, uint256 y) external returns (PairStandIn) { return new PairStandIn(x, y); }
    function pull(address token, address from, address to, uint256 amount) external { require(msg.sender == bonding); require(Coin(token).transferFrom(from, to, amount), "transferFrom"); }
    function give(PairStandIn p, address token, address to, uint256 amount) external { require(msg.sender == bonding); p.move(token, to, amount); }
    function set(PairStandIn p, uint256 x, uint256 y) external { require(msg.sender == bonding); p.set(x, y); }
}

abstract contract VirtualsCurve {
    VirtualsRouterStandIn public router;
    bool private halted;
    uint256 private constant IMAGINED = 10 ether;

    constructor(address asset) { router = new VirtualsRouterStandIn(asset); }
    function halt() external { halted = true; }
    function _open(address token, uint256 raised) internal returns (address) {
        PairStandIn p = router.pair(500_000 ether, IMAGINED + raised);
        router.pull(token, msg.sender, address(p), 500_000 ether);
        router.pull(router.assetToken(), msg.sender, address(p), raised);
        return address(p);
    }
    function _buy(uint256 amount, address token, address pair, bool trading) internal {
        require(trading && !halted, "Token not trading");
        PairStandIn p = PairStandIn(pair);
        (uint256 a, uint256 b) = p.getReserves();
        router.pull(router.assetToken(), msg.sender, pair, amount);
        uint256 out = a * amount / (b + amount);
        router.give(p, token, msg.sender, out);
        router.set(p, a - out, b + amount);
    }
    function _sell(uint256 amount, address token, address pair, bool trading) internal {
        require(trading && !halted, "Token not trading");
        PairStandIn p = PairStandIn(pair);
        (uint256 a, uint256 b) = p.getReserves();
        router.pull(token, msg.sender, pair, amount);
        uint256 out = b * amount / (a + amount);
        router.give(p, router.assetToken(), msg.sender, out * 99 / 100);
        router.set(p, a + amount, b - out);
    }
}

contract VirtualsStandIn is VirtualsCurve {
    struct Data { address token; string name; string _name; string ticker; uint256 supply; uint256 price; uint256 marketCap; uint256 liquidity; uint256 volume; uint256 volume24H; uint256 prevPrice; uint256 lastUpdated; }
    struct Token { address creator; address token; address pair; address agentToken; Data data; string description; uint8[] cores; string image; string twitter; string telegram; string youtube; string website; bool trading; bool tradingOnUniswap; }
    mapping(address => Token) public tokenInfo;

    constructor(address asset) VirtualsCurve(asset) {}
    function list(address token, uint256 raised, bool trading, bool left) external {
        Token storage t = tokenInfo[token];
        (t.creator, t.token, t.pair, t.trading, t.tradingOnUniswap) = (msg.sender, token, _open(token, raised), trading, left);
        (t.data.name, t.description) = ("a name that is longer than thirty-two characters", "words");
    }
    function buy(uint256 amount, address token) external payable returns (bool) {
        Token storage t = tokenInfo[token];
        _buy(amount, token, t.pair, t.trading);
        return true;
    }
    function sell(uint256 amount, address token) external returns (bool) {
        Token storage t = tokenInfo[token];
        _sell(amount, token, t.pair, t.trading);
        return true;
    }
}

/// BondingV2 and later: trades state the least they take and until when, and a token is announced before anybody may trade it. Texts are
/// left out of what is stated of a token: their places hold nothing.
contract VirtualsLaterStandIn is VirtualsCurve {
    mapping(address => uint256[17]) private infos;

    constructor(address asset) VirtualsCurve(asset) {}
    function tokenInfo(address token) external view returns (uint256[17] memory) { return infos[token]; }
    function list(address token, uint256 raised, bool trading, bool left) external {
        uint256[17] storage t = infos[token];
        (t[0], t[1], t[2]) = (uint160(msg.sender), uint160(token), uint160(_open(token, raised)));
        // What left its curve keeps its address.
        if (left) t[3] = uint160(token);
        // A halted one was announced and never launched.
        (t[11], t[12], t[16]) = (left ? 0 : 1, left ? 1 : 0, trading || left ? 1 : 0);
    }
    function buy(uint256 amount, address token, uint256, uint256 until) external payable returns (bool) {
        uint256[17] storage t = infos[token];
        require(block.timestamp <= until, "InvalidInput");
        _buy(amount, token, address(uint160(t[2])), t[11] == 1 && t[16] == 1);
        return true;
    }
    function sell(uint256 amount, address token, uint256, uint256 until) external returns (bool) {
        uint256[17] storage t = infos[token];
        require(block.timestamp <= until, "InvalidInput");
        _sell(amount, token, address(uint160(t[2])), t[11] == 1 && t[16] == 1);
        return true;
    }
}
