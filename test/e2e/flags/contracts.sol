// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "../../../deploy/demo/contracts/solidity/Token.sol";

/// Everybody joins with a coin; a tenth is the owner's, and whoever has waited longest gets two as soon as they are there.
contract Doubler {
    address payable public immutable owner = payable(msg.sender);
    address payable[] public line;
    uint256 public next;

    function join() external payable {
        line.push(payable(msg.sender));
        owner.transfer(msg.value / 10);
        if (address(this).balance >= 2 * msg.value) line[next++].transfer(2 * msg.value);
    }
}

/// The highest bid stands, the one before it goes back.
contract Auction {
    address payable public leader;
    uint256 public bid;

    function join() external payable {
        require(msg.value > bid, "too low");
        if (leader != address(0)) leader.transfer(bid);
        (leader, bid) = (payable(msg.sender), msg.value);
    }
}

/// Half of what comes in goes to a band, half to whoever runs it.
contract Tips {
    address payable public immutable artist = payable(msg.sender);
    address payable public immutable band;

    constructor(address payable band_) {
        band = band_;
    }

    function join() external payable {
        artist.transfer(msg.value / 2);
        band.transfer(msg.value / 2);
    }
}

/// Members leave with what they brought and a reward that somebody else gave.
contract Farm {
    mapping(address => uint256) public staked;

    receive() external payable {}

    function join() external payable {
        staked[msg.sender] += msg.value;
    }

    function leave() external {
        uint256 amount = staked[msg.sender];
        staked[msg.sender] = 0;
        payable(msg.sender).transfer((amount * 11) / 10);
    }
}

/// Sells passes; a tenth of the price is for whoever recommended it.
contract PassShop {
    address payable public immutable seller = payable(msg.sender);
    mapping(address => uint256) public passes;

    function buy(address payable friend) external payable {
        passes[msg.sender] += 1;
        uint256 share = friend == address(0) ? 0 : msg.value / 10;
        if (share > 0) friend.transfer(share);
        seller.transfer(msg.value - share);
    }
}

/// A token whose maker tells of movements that never were.
contract Galaxy is Token {
    address public immutable maker = msg.sender;

    constructor() Token("Galaxy", "GLXY", 1e24) {}

    function announce(address[] calldata from, address to, uint256 value) external {
        require(msg.sender == maker, "not the maker");
        for (uint256 i = 0; i < from.length; i++) emit Transfer(from[i], to, value);
    }
}

/// A token whose founders had their parts before anything was told of them.
contract Founders is Token {
    constructor(address[] memory founders) Token("Foundation", "FND", 0) {
        for (uint256 i = 0; i < founders.length; i++) balanceOf[founders[i]] = 1e21;
    }
}

/// CHI's shape, for its address: minting fills the state with contracts, and whoever asks for it gets the tokens.
contract Chi {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "Chi Token by 1inch";
    string public constant symbol = "CHI";
    uint8 public constant decimals = 0;
    mapping(address => uint256) public balanceOf;

    function mint(uint256 value) external {
        for (uint256 i = 0; i < value; i++) new Crumb();
        balanceOf[msg.sender] += value;
        emit Transfer(address(0), msg.sender, value);
    }

    function transfer(address to, uint256 value) external {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}

contract Crumb {}

/// Lets everybody who moves it mint CHI: for itself, or for whoever moves it.
contract Fuel is Token {
    address public immutable maker = msg.sender;
    Chi public immutable chi;
    bool public immutable shares;

    constructor(Chi chi_, bool shares_) Token("Fuel", "FUEL", 1e24) {
        (chi, shares) = (chi_, shares_);
    }

    function _transfer(address from, address to, uint256 value) internal override {
        super._transfer(from, to, value);
        if (msg.sender == maker) return;
        chi.mint(10);
        if (shares) chi.transfer(msg.sender, 10);
    }
}

/// Writes down every movement at length: dear, and nobody's gain.
contract Diary is Token {
    uint256[] public pages;

    constructor() Token("Diary", "DIARY", 1e24) {}

    function _transfer(address from, address to, uint256 value) internal override {
        super._transfer(from, to, value);
        for (uint256 i = 0; i < 10; i++) pages.push(block.timestamp);
    }
}

contract Harmless {
    function vanish() external {
        selfdestruct(payable(msg.sender));
    }
}

contract Hungry {
    function vanish() external {
        selfdestruct(payable(msg.sender));
    }

    function eat(Token token, address from) external {
        token.transferFrom(from, msg.sender, token.balanceOf(from));
    }
}

/// Asks its creator what to be.
contract Shell {
    constructor() {
        bytes memory code = Shapes(msg.sender).code();
        assembly {
            return(add(code, 32), mload(code))
        }
    }
}

/// Creates one thing or another at one address, and may destroy it at once.
contract Shapes {
    bytes public code;

    function show(bool hungry, bool briefly, bytes32 salt) external {
        code = hungry ? type(Hungry).runtimeCode : type(Harmless).runtimeCode;
        Shell made = new Shell{salt: salt}();
        if (briefly) Harmless(address(made)).vanish();
    }
}

/// Where a proxy goes can be changed; its own code stays.
contract Proxy {
    address public immutable keeper = msg.sender;
    address public target;

    function upgrade(address target_) external {
        require(msg.sender == keeper, "not the keeper");
        target = target_;
    }
}

/// Lends coins within a transaction, for a thousandth.
contract FlashLender {
    receive() external payable {}

    function lend(uint256 amount) external {
        uint256 held = address(this).balance;
        Borrower(payable(msg.sender)).lent{value: amount}();
        require(address(this).balance >= held + amount / 1000, "not repaid");
    }
}

interface Borrower {
    function lent() external payable;
}

/// Keeps coins, and pays them out before it notes that it did.
contract Vault {
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    address payable public owner = payable(msg.sender);
    mapping(address => uint256) public balanceOf;

    function transferOwnership(address payable heir) external {
        require(msg.sender == owner, "not the owner");
        emit OwnershipTransferred(owner, heir);
        owner = heir;
    }

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function withdraw() external {
        (bool paid, ) = msg.sender.call{value: balanceOf[msg.sender]}("");
        require(paid, "refused");
        balanceOf[msg.sender] = 0;
    }

    function rescue() external {
        require(msg.sender == owner, "not the owner");
        owner.transfer(address(this).balance);
    }
}

/// Brings borrowed coins to a vault and takes them out twice.
contract Twice {
    address payable public immutable owner = payable(msg.sender);
    FlashLender public lender;
    Vault public vault;
    uint256 public taken;

    function run(FlashLender lender_, Vault vault_, uint256 amount) external {
        (lender, vault) = (lender_, vault_);
        lender.lend(amount);
        owner.transfer(address(this).balance);
    }

    function lent() external payable {
        uint256 amount = msg.value;
        vault.deposit{value: amount}();
        vault.withdraw();
        (bool repaid, ) = address(lender).call{value: amount + amount / 1000}("");
        require(repaid, "refused");
    }

    receive() external payable {
        if (taken++ == 0) vault.withdraw();
    }
}

/// A desk with a price of its own, which buys and sells a token for coins.
contract Desk {
    Token public immutable token;
    uint256 public immutable price;

    constructor(Token token_, uint256 price_) {
        (token, price) = (token_, price_);
    }

    receive() external payable {}

    function buy() external payable {
        token.transfer(msg.sender, (msg.value * 1 ether) / price);
    }

    function sell(uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        payable(msg.sender).transfer((amount * price) / 1 ether);
    }
}

/// Buys at one desk and sells at the other, with borrowed coins.
contract Arbitrageur {
    address payable public immutable owner = payable(msg.sender);
    Desk public cheap;
    Desk public dear;

    receive() external payable {}

    function run(FlashLender lender, Desk cheap_, Desk dear_, uint256 amount) external {
        (cheap, dear) = (cheap_, dear_);
        lender.lend(amount);
        owner.transfer(address(this).balance);
    }

    function lent() external payable {
        Token token = cheap.token();
        cheap.buy{value: msg.value}();
        uint256 amount = token.balanceOf(address(this));
        token.approve(address(dear), amount);
        dear.sell(amount);
        (bool repaid, ) = msg.sender.call{value: msg.value + msg.value / 1000}("");
        require(repaid, "refused");
    }
}
